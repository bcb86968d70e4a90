import { coins } from '../daemon/coins.ts';
import type { Handler } from './context.ts';

/**
 * Reads of consensus modules that the registry does not know, as a daemon of release 0.9.0 lists them in its help. No
 * transaction of these modules is made here, so they answer what a daemon does where there is none.
 */
export const furtherHandlers: Readonly<Record<string, Handler>> = {
	oracleslist: (_context, params) => {
		params.between(0, 0);
		return [];
	},
	faucetinfo: (_context, params) => {
		params.between(0, 0);
		return { result: 'success', name: 'Faucet', funding: coins(0n) };
	}
};
