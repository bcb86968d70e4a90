import { valueOf } from '#lib/chain/amount.ts';
import { parseTransaction, txidOf } from '#lib/chain/transaction.ts';
import type { TransactionKind } from '#lib/messages/transactionKinds.ts';
import { reported } from '#lib/rpc/tolerant.ts';
import { LAST_SECOND } from '#lib/rpc/types.ts';
import { LastKnown } from './memory.ts';
import type { PageClient } from './pageClient.ts';
import { unasked } from './problem.ts';
import { transactionKind } from './transactionView.ts';

/** A transaction in the mempool; what the daemon does not report in a form that can be read is null. */
interface WaitingTransaction {
	txid: string;
	/** Bytes. */
	size: number | null;
	/** Satoshi. */
	fee: bigint | null;
	/** Unix milliseconds at which the daemon accepted it. */
	since: number | null;
	/** Spends outputs of other pending transactions; false also when the daemon does not report it. */
	depends: boolean;
	/** Kind, such as `transfer`; null when it could not be read. */
	kind: TransactionKind | null;
	/** Sum of its outputs in satoshi. */
	value: bigint | null;
}

interface Mempool {
	total: number;
	/** The newest transactions. */
	lines: WaitingTransaction[];
}

/** Transactions that are shown; each of them is requested separately, once. */
const SHOWN = 50;

type Content = Pick<WaitingTransaction, 'kind' | 'value'>;
const UNKNOWN: Content = { kind: null, value: null };
/** Kinds of transactions by chain and txid. Never outdated, because a txid identifies the bytes. */
const contents = new LastKnown(20 * SHOWN);

/** Returns the kind and value of a transaction; nulls when its bytes are unavailable or unreadable. */
async function contentOf(client: PageClient, chain: string, txid: string): Promise<Content> {
	const key = `${chain}\n${txid}`;
	const known = contents.recall<Content>(key);
	if (known !== undefined) return known.data;
	try {
		const hex = await client.call(chain, 'getrawtransaction', [txid, 0]);
		if (typeof hex !== 'string') return UNKNOWN;
		const tx = parseTransaction(hex);
		const value = valueOf(tx.vout);
		const content = { kind: transactionKind(tx, chain), value };
		if (txidOf(tx) === txid) contents.remember(key, content, client.now);
		return content;
	} catch {
		// The transaction may have been confirmed since the list was read: it is listed without its kind.
		return UNKNOWN;
	}
}

/** Reads the pending transactions of a chain, newest first. @throws {AppError} `daemon` */
export async function readMempool(client: PageClient, chain: string): Promise<Mempool> {
	const entries = await client.call(chain, 'getrawmempool', [true]);
	if (Array.isArray(entries)) throw unasked(chain, 'getrawmempool');
	const newest = Object.entries(entries)
		.map(([txid, entry]) => ({ txid, entry, time: reported(entry, 'time') }))
		// One without a time may be the newest.
		.sort((a, b) => (b.time ?? LAST_SECOND) - (a.time ?? LAST_SECOND))
		.slice(0, SHOWN);
	const lines = await Promise.all(
		newest.map(async ({ txid, entry, time }): Promise<WaitingTransaction> => ({
			txid,
			size: reported(entry, 'size'),
			fee: reported(entry, 'fee'),
			since: time === null ? null : time * 1000,
			depends: (reported(entry, 'depends') ?? []).length > 0,
			...(await contentOf(client, chain, txid))
		}))
	);
	return { total: Object.keys(entries).length, lines };
}
