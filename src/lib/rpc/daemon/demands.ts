/** Determines what the parameters of a call require beyond the access class of its method. */
import type { Access } from '../method.ts';
import { daemonMethods, type DaemonMethod } from './index.ts';

/** Whether a block template is asked for only once there is a new block; so is what cannot be read. */
function asksToWait(request: string): boolean {
	try {
		const asked: unknown = JSON.parse(request);
		return typeof asked === 'object' && asked !== null && 'longpollid' in asked;
	} catch {
		return true;
	}
}

/**
 * Methods that only read, with the parameters that can make a daemon stop answering.
 * Sources: Komodo daemon 0.9.0, which has four workers for all calls.
 */
const HARMFUL: Partial<Record<DaemonMethod, (params: readonly string[]) => boolean>> = {
	// Long polling keeps a worker until the next block (`getblocktemplate`, rpc/mining.cpp).
	getblocktemplate: ([request = 'null']) => asksToWait(request),
	// It divides by the depth, which ends the daemon with 0 (`getlastsegidstakes`, rpc/blockchain.cpp).
	getlastsegidstakes: ([depth = 'null']) => !/^"?[1-9]\d{0,8}"?$/.test(depth.trim())
};

/**
 * Returns the access class that a call with these parameters requires: that of its method, or a higher one.
 * @param params JSON texts
 */
export const demandedAccess = (method: DaemonMethod, params: readonly string[]): Access =>
	HARMFUL[method]?.(params) === true ? 'admin' : daemonMethods[method].access;
