import { parseTransaction } from '#lib/chain/transaction.ts';
import type { TransactionKind } from '#lib/messages/transactionKinds.ts';
import type { PageClient } from './pageClient.ts';
import { unasked } from './problem.ts';
import { viewTransaction } from './transactionView.ts';

/** A transaction that waits for a block. */
interface WaitingTransaction {
	txid: string;
	/** Bytes. */
	size: number;
	/** Satoshi. */
	fee: bigint;
	/** Unix milliseconds at which the daemon took it. */
	since: number;
	/** Waits for another one that waits, too. */
	depends: boolean;
	/** What it is, such as `transfer`; null for those that were not looked into. */
	kind: TransactionKind | null;
	/** Sum of its outputs in satoshi. */
	value: bigint | null;
}

interface Mempool {
	total: number;
	/** The newest ones. */
	lines: WaitingTransaction[];
}

/** So many are shown; each of them is read by itself. */
const SHOWN = 50;

/**
 * The transactions that wait on a chain, newest first.
 * @throws {AppError} `daemon`
 */
export async function readMempool(client: PageClient, chain: string): Promise<Mempool> {
	const entries = await client.call(chain, 'getrawmempool', [true]);
	if (Array.isArray(entries)) throw unasked(chain, 'getrawmempool');
	const newest = Object.entries(entries)
		.sort(([, a], [, b]) => b.time - a.time)
		.slice(0, SHOWN);
	const lines = await Promise.all(
		newest.map(async ([txid, entry]): Promise<WaitingTransaction> => {
			const line = {
				txid,
				size: entry.size,
				fee: entry.fee,
				since: entry.time * 1000,
				depends: entry.depends.length > 0
			};
			try {
				const hex = await client.call(chain, 'getrawtransaction', [txid, 0]);
				if (typeof hex !== 'string') return { ...line, kind: null, value: null };
				const tx = parseTransaction(hex);
				const view = viewTransaction(tx, {
					chain,
					prevouts: new Map(),
					spends: new Map()
				});
				const value = tx.vout.reduce((sum, out) => sum + out.value, 0n);
				return { ...line, kind: view.kind, value };
			} catch {
				// It may have been mined since the list was made: its line stays, without what it is.
				return { ...line, kind: null, value: null };
			}
		})
	);
	return { total: Object.keys(entries).length, lines };
}
