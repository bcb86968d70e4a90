/** Searches a chain for the import of a burn. */
import { LRUCache } from 'lru-cache';
import { displayHash, hexToBytes } from '#lib/chain/bytes.ts';
import { hash256 } from '#lib/chain/hash.ts';
import { IMPORT_INDEX } from '#lib/chain/importProof.ts';
import { readableTransaction } from '#lib/chain/transaction.ts';
import { reported } from '#lib/rpc/tolerant.ts';
import { hasAllBlocks } from './allBlocks.ts';
import { isNotFound } from './notFound.ts';
import { syncing } from './syncing.ts';
import type { DaemonClient } from './types.ts';

/** Blocks that one search for an import reads; the next search continues after them. */
const IMPORT_BLOCKS = 500;

/** An import of a burn, pending or confirmed. */
export type FoundImport =
	{ txid: string; where: 'mempool' } | { txid: string; where: 'mined'; height: number };

export interface ImportSearch {
	found: FoundImport | null;
	/** First block that the next search has to read. */
	from: bigint;
	/** False when blocks are left for the next search, including those that the daemon lacks. */
	complete: boolean;
	/** Set when all blocks of the daemon were read but it may lack some. */
	missing?: { blocks: number; tip: number };
}

/**
 * The burn that each mempool transaction imports, by txid; null for a transaction that is no import. A txid
 * identifies the bytes, so no transaction is requested again by the next search, of which each open migration runs
 * many.
 */
const importedBurns = new LRUCache<string, { burn: string | null }>({ max: 20_000 });

/** Returns the burn that a mempool transaction imports; null for none. @throws {AppError} `daemon` */
async function burnImportedBy(client: DaemonClient, txid: string): Promise<string | null> {
	const known = importedBurns.get(txid);
	if (known !== undefined) return known.burn;
	const hex = await client.call('getrawtransaction', txid);
	if (typeof hex !== 'string') return null;
	// Bytes that do not parse are no import.
	const input = readableTransaction(hex)?.vin[0];
	const burn = input?.vout === IMPORT_INDEX ? input.txid : null;
	// Not cached when the answer is about another transaction.
	if (displayHash(hash256(hexToBytes(hex))) === txid) importedBurns.set(txid, { burn });
	return burn;
}

async function importInMempool(
	client: DaemonClient,
	burnTxid: string
): Promise<FoundImport | null> {
	const waiting = await client.call('getrawmempool');
	for (const txid of Array.isArray(waiting) ? waiting : Object.keys(waiting)) {
		try {
			if ((await burnImportedBy(client, txid)) === burnTxid) return { txid, where: 'mempool' };
		} catch (error) {
			// The transaction was confirmed or dropped meanwhile.
			if (!isNotFound(error)) throw error;
		}
	}
	return null;
}

/**
 * Blocks below the tip that a later search reads again, because a reorganization may replace them. (Komodo daemon
 * 0.9.0 ends instead of replacing 100 blocks or more, unless its operator starts it with `-maxreorg`.)
 */
const REREAD = 100n;

/**
 * Returns the first block that can contain the import of a burn that is in no block yet.
 * @param blocks height of the destination
 */
export const firstBlockAhead = (blocks: number): bigint => {
	const settled = BigInt(blocks) - REREAD;
	return settled > 1n ? settled : 1n;
};

/**
 * Searches the destination chain for any import of a burn: the mempool, then blocks starting at `from`. Imports are
 * recognized by their burn, never by their own txid. (Komodo daemon 0.9.0: two different imports of one burn can be
 * in the mempool together.)
 * @throws {AppError} `daemon`
 */
export async function findImport(
	client: DaemonClient,
	burnTxid: string,
	from: bigint
): Promise<ImportSearch> {
	const waiting = await importInMempool(client, burnTxid);
	if (waiting) return { found: waiting, from, complete: true };
	const info = await client.call('getinfo');
	const { blocks } = info;
	const hasAll = () => hasAllBlocks(client.call, info, false);
	let start = from;
	if (BigInt(blocks) < from) {
		const isFarBelow = BigInt(blocks) + REREAD < from;
		// The daemon may be reading its chain again from the start: then it cannot say that there is no import. One
		// without peers does not know how long its chain is.
		const knowsTip = !isFarBelow || (reported(info, 'longestchain') ?? 0) > 0;
		if (!knowsTip || !(await hasAll())) throw syncing(client, 'getimports', blocks, Number(from));
		// The daemon that was asked before followed another branch.
		start = isFarBelow ? 1n : firstBlockAhead(blocks);
	}
	const first = Math.max(1, Number(start));
	const last = Math.min(blocks, first + IMPORT_BLOCKS - 1);
	for (let height = first; height <= last; height++) {
		const { imports } = await client.call('getimports', String(height));
		const one = imports.find((entry) => 'txid' in entry.export && entry.export.txid === burnTxid);
		if (one) {
			const found = { txid: one.txid, where: 'mined', height } as const;
			return { found, from: start, complete: true };
		}
	}
	const settled = firstBlockAhead(blocks);
	const next = BigInt(last) + 1n;
	const isAtEnd = last >= blocks;
	// While the daemon reads its chain again, the import may be in the part that is still missing.
	const isWhole = isAtEnd && (await hasAll());
	return {
		found: null,
		from: next < settled ? next : settled > start ? settled : start,
		complete: isWhole,
		...(isAtEnd && !isWhole ? { missing: { blocks, tip: info.longestchain } } : {})
	};
}

/**
 * Searches all blocks for an import of a burn. A search of only some blocks could not prove that there is none.
 * @param onRead called with the first block that a later search has to read, so that a long search can be resumed
 * @throws {AppError} `daemon`, also while the daemon lacks blocks
 */
export async function findAnyImport(
	client: DaemonClient,
	burnTxid: string,
	from: bigint,
	onRead: (from: bigint) => Promise<void> = async () => {}
): Promise<ImportSearch> {
	let search = await findImport(client, burnTxid, from);
	for (;;) {
		if (search.found === null) await onRead(search.from);
		if (search.found !== null || search.complete) return search;
		if (search.missing) {
			throw syncing(client, 'getimports', search.missing.blocks, search.missing.tip);
		}
		search = await findImport(client, burnTxid, search.from);
	}
}
