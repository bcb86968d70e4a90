import { JsonNumber } from '#lib/rpc/json.ts';
import { coins, int } from './coins.ts';
import { isImport } from '../ledger/txKind.ts';
import type { Handler } from './context.ts';

const getrawmempool: Handler = ({ ledger }, params) => {
	params.between(0, 1);
	const verbose = params.has(0) && params.bool(0);
	const entries = [...ledger.mempool.entries()];
	if (!verbose) return entries.map((entry) => entry.txid);
	return Object.fromEntries(
		entries.map((entry) => {
			const priority = isImport(entry.tx) ? new JsonNumber('1e+16') : int(0);
			return [
				entry.txid,
				{
					size: int(entry.size),
					fee: coins(entry.fee),
					time: int(entry.time),
					height: int(entry.height),
					startingpriority: priority,
					currentpriority: priority,
					depends: entry.depends
				}
			];
		})
	);
};

const getmempoolinfo: Handler = ({ ledger }, params) => {
	params.between(0, 0);
	const bytes = [...ledger.mempool.entries()].reduce((sum, entry) => sum + entry.size, 0);
	return { size: int(ledger.mempool.size), bytes: int(bytes), usage: int(bytes * 4) };
};

export const mempoolHandlers = { getrawmempool, getmempoolinfo };
