import { parseTransaction, txidOf } from '#lib/chain/transaction.ts';
import type { TransactionKind } from '#lib/messages/transactionKinds.ts';
import { LastKnown } from './memory.ts';
import type { PageClient } from './pageClient.ts';
import { unasked } from './problem.ts';
import { transactionKind } from './transactionView.ts';

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

/** So many are shown; each of them is read by itself, once. */
const SHOWN = 50;

type Content = Pick<WaitingTransaction, 'kind' | 'value'>;
const UNKNOWN: Content = { kind: null, value: null };
/** What transactions are, by chain and id: their bytes can be no others, whoever looks and however often. */
const contents = new LastKnown(20 * SHOWN);

/** What a transaction is; nothing where its bytes are not told or cannot be read. */
async function contentOf(client: PageClient, chain: string, txid: string): Promise<Content> {
	const key = `${chain}\n${txid}`;
	const known = contents.recall<Content>(key);
	if (known !== undefined) return known.data;
	try {
		const hex = await client.call(chain, 'getrawtransaction', [txid, 0]);
		if (typeof hex !== 'string') return UNKNOWN;
		const tx = parseTransaction(hex);
		const value = tx.vout.reduce((sum, out) => sum + out.value, 0n);
		const content = { kind: transactionKind(tx, chain), value };
		if (txidOf(tx) === txid) contents.remember(key, content, client.now);
		return content;
	} catch {
		// It may have been mined since the list was made: its line stays, without what it is.
		return UNKNOWN;
	}
}

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
		newest.map(async ([txid, entry]): Promise<WaitingTransaction> => ({
			txid,
			size: entry.size,
			fee: entry.fee,
			since: entry.time * 1000,
			depends: entry.depends.length > 0,
			...(await contentOf(client, chain, txid))
		}))
	);
	return { total: Object.keys(entries).length, lines };
}
