import { coins, int } from '../daemon/coins.ts';
import type { Handler } from './context.ts';

/**
 * Reads that the registry does not know, of consensus modules and of the wallet, as a daemon of release 0.9.0 lists them
 * in its help. No transaction of these modules is made here, so they answer what a daemon does where there is none.
 */
export const furtherHandlers: Readonly<Record<string, Handler>> = {
	oracleslist: (_context, params) => {
		params.between(0, 0);
		return [];
	},
	listlockunspent: ({ wallet }, params) => {
		params.between(0, 0);
		return [...wallet.keptCoins].map((name) => {
			const [txid, vout] = name.split(':');
			return { txid: txid!, vout: int(Number(vout)) };
		});
	},
	faucetinfo: (_context, params) => {
		params.between(0, 0);
		return { result: 'success', name: 'Faucet', funding: coins(0n) };
	}
};
