import { coins, int } from './coins.ts';
import type { Handler } from './context.ts';

/**
 * Reads of consensus modules and of the wallet that are not in the registry but in the help of release 0.9.0.
 * The devnet has no transactions of these modules, so they return what a daemon returns without any.
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
