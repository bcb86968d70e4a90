/**
 * Questions to the daemons before anything is sent: where a transaction is, whether a burn was already imported,
 * which notarizations exist.
 */
import { NOTARIZATION_WINDOW } from '#lib/chain/proofRoot.ts';
import { displayHash, hexToBytes } from '#lib/chain/bytes.ts';
import { readOrNull } from '#lib/chain/chainError.ts';
import { hash256 } from '#lib/chain/hash.ts';
import { IMPORT_INDEX } from '#lib/chain/importProof.ts';
import {
	readNotarizationPayload,
	type Notarization,
	type NotarizationForm
} from '#lib/chain/notarization.ts';
import { readableTransaction, txidOf, type Transaction } from '#lib/chain/transaction.ts';
import { reported } from '#lib/rpc/tolerant.ts';
import { isUnserved } from './unserved.ts';
import type { DaemonClient, Gateway } from './types.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import { hasAllBlocks } from './allBlocks.ts';
import { daemonError, type DaemonError } from './daemonError.ts';

/** Komodo daemon 0.9.0: -5 is "no such transaction", in the chain or in the mempool. */
const NOT_FOUND = -5;
/**
 * Returns whether an error code concerns the server and not the transaction. A proxy that lost its connection
 * answers with such a code even after the daemon accepted the call.
 */
export function isInternal(code: number | undefined): boolean {
	return code === -32_603 || (code !== undefined && code <= -32_000 && code >= -32_099);
}

/** Blocks that one search for an import reads; the next search continues after them. */
const IMPORT_BLOCKS = 500;

export function daemonClientOf(gateway: Gateway, daemon: string): DaemonClient {
	return {
		daemon,
		call: (method, ...params) => gateway.call(daemon, method, params, { priority: 'background' })
	};
}

export type Whereabouts =
	| { where: 'absent' }
	| { where: 'mempool'; hex: string }
	| { where: 'mined'; hex: string; height: number; blockhash: string };

/**
 * Looks in the wallet for a transaction that the daemon does not find. Without a transaction index the daemon does
 * not find a transaction whose outputs are all spent (Komodo daemon 0.9.0: `GetTransaction`), but the wallet still
 * knows its own.
 * @throws {AppError} `daemon`
 */
async function findInWallet(client: DaemonClient, txid: string): Promise<Whereabouts> {
	let kept;
	try {
		kept = await client.call('gettransaction', txid);
	} catch (error) {
		const isUnknown = isAppError(error, 'daemon') && error.params.rpcCode === NOT_FOUND;
		// A daemon without a wallet does not serve the method.
		if (isUnknown || isUnserved(error)) return { where: 'absent' };
		throw error;
	}
	// A pending transaction would have been found in the mempool; one that only the wallet still knows counts as
	// absent.
	if (!('blockhash' in kept) || kept.rawconfirmations < 1) return { where: 'absent' };
	const { blockhash, hex } = kept;
	if (idOf(hex) !== txid.toLowerCase()) throw otherThanAsked(client, txid);
	const header = await client.call('getblockheader', blockhash);
	// A reorganization may have removed its block meanwhile.
	if (typeof header === 'string' || header.rawconfirmations < 1) return { where: 'absent' };
	return { where: 'mined', hex, height: header.height, blockhash };
}

/**
 * Finds a transaction on one chain.
 * @throws {AppError} `daemon` when the daemon does not answer, or answers with another transaction
 */
export async function findTransaction(client: DaemonClient, txid: string): Promise<Whereabouts> {
	let found;
	try {
		found = await client.call('getrawtransaction', txid, 1);
	} catch (error) {
		if (isAppError(error, 'daemon') && error.params.rpcCode === NOT_FOUND)
			return findInWallet(client, txid);
		throw error;
	}
	const wanted = txid.toLowerCase();
	const hex = typeof found === 'string' ? found : found.hex;
	const isNamed = typeof found === 'string' || found.txid === wanted;
	if (!isNamed || idOf(hex) !== wanted) throw otherThanAsked(client, txid);
	if (typeof found === 'string') return { where: 'mempool', hex: found };
	if ('blockhash' in found && found.height >= 0) {
		return { where: 'mined', hex: found.hex, height: found.height, blockhash: found.blockhash };
	}
	// The daemon looks into its mempool first, so this one is only in a block that a reorganization removed.
	if ('blockhash' in found) return { where: 'absent' };
	return { where: 'mempool', hex: found.hex };
}

/**
 * Finds a transaction that was never seen before. It may be in a block that the daemon has not read yet, so
 * `absent` is only returned by a daemon that has all blocks.
 * @param mayBeOld see {@link hasAllBlocks}
 * @throws {AppError} `daemon`, also when the transaction is absent and the daemon lacks blocks
 */
export async function findAnywhere(
	client: DaemonClient,
	txid: string,
	{ mayBeOld }: { mayBeOld: boolean }
): Promise<Whereabouts> {
	const found = await findTransaction(client, txid);
	if (found.where !== 'absent') return found;
	const info = await client.call('getinfo');
	if (await hasAllBlocks(client.call, info, mayBeOld)) return found;
	throw syncing(client, 'getrawtransaction', info.blocks, info.longestchain);
}

/**
 * Finds a transaction that was seen in a block at `height`, by reading that block when the daemon does not find it:
 * without a transaction index a daemon only finds transactions with unspent outputs and those of its wallet.
 * @throws {AppError} `daemon`
 */
export async function findSeen(
	client: DaemonClient,
	{ txid, hex, height }: { txid: string; hex: string; height: number | null }
): Promise<Whereabouts> {
	const found = await findTransaction(client, txid);
	if (found.where !== 'absent' || height === null) return found;
	const { blocks } = await client.call('getinfo');
	if (blocks < height) return found;
	const blockhash = await client.call('getblockhash', height);
	const block = await client.call('getblock', blockhash, 1);
	// A reorganization may have removed the block meanwhile.
	if (typeof block === 'string' || block.rawconfirmations < 1) return found;
	const isThere = block.tx.some((one) => one === txid);
	return isThere ? { where: 'mined', hex, height, blockhash } : found;
}

/** Returns whether a block is part of the current chain. @throws {AppError} `daemon` */
export async function blockStands(client: DaemonClient, blockhash: string): Promise<boolean> {
	try {
		const header = await client.call('getblockheader', blockhash);
		return typeof header !== 'string' && header.rawconfirmations >= 1;
	} catch (error) {
		if (isAppError(error, 'daemon') && error.params.rpcCode === NOT_FOUND) return false;
		throw error;
	}
}

const idOf = (hex: string): string | null => {
	const tx = readableTransaction(hex);
	return tx && txidOf(tx);
};

/** The answer is about another transaction, as a faulty proxy or daemon may return it. */
const otherThanAsked = (client: DaemonClient, txid: string): DaemonError =>
	daemonError(
		'daemon.validation-mismatch',
		{ daemon: client.daemon, method: 'getrawtransaction' },
		{ delivery: 'delivered', fault: { kind: 'transaction', txid } }
	);

/**
 * Returns the transactions whose outputs `tx` spends, each once, without those that cannot be parsed.
 * @throws {AppError} `daemon`, also when one of them is unknown
 */
export async function parentsOf(
	client: DaemonClient,
	tx: Transaction
): Promise<Map<string, Transaction>> {
	const parents = new Map<string, Transaction>();
	for (const { txid } of tx.vin) {
		if (parents.has(txid)) continue;
		const hex = await client.call('getrawtransaction', txid);
		const parent = typeof hex === 'string' ? readableTransaction(hex) : null;
		if (parent) parents.set(txid, parent);
	}
	return parents;
}

/** An import of a burn, pending or confirmed. */
export type FoundImport =
	{ txid: string; where: 'mempool' } | { txid: string; where: 'mined'; height: number };

/**
 * Returns the error of a daemon that lacks blocks which the question is about.
 * @param blocks height that the daemon has
 * @param tip height that it needs
 */
export const syncing = (
	{ daemon }: DaemonClient,
	method: string,
	blocks: number,
	tip: number
): DaemonError =>
	daemonError('daemon.syncing', { daemon, method }, { delivery: 'delivered', blocks, tip });

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
const importedBurns = new Map<string, string | null>();
const MOST_REMEMBERED = 20_000;

/** Returns the burn that a mempool transaction imports; null for none. @throws {AppError} `daemon` */
async function burnImportedBy(client: DaemonClient, txid: string): Promise<string | null> {
	const known = importedBurns.get(txid);
	if (known !== undefined) return known;
	const hex = await client.call('getrawtransaction', txid);
	if (typeof hex !== 'string') return null;
	// Bytes that do not parse are no import.
	const input = readableTransaction(hex)?.vin[0];
	const burn = input?.vout === IMPORT_INDEX ? input.txid : null;
	// Not cached when the answer is about another transaction.
	if (displayHash(hash256(hexToBytes(hex))) === txid) {
		importedBurns.set(txid, burn);
		const [oldest] = importedBurns.keys();
		if (importedBurns.size > MOST_REMEMBERED && oldest !== undefined) importedBurns.delete(oldest);
	}
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
			if (!isAppError(error, 'daemon') || error.params.rpcCode !== NOT_FOUND) throw error;
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

/** Tolerated difference between the clocks of two chains, in seconds. */
const CLOCK_SLACK = 2 * 3600;

async function timeOfBlock(client: DaemonClient, blockhash: string): Promise<number> {
	const header = await client.call('getblockheader', blockhash);
	return typeof header === 'string' ? 0 : header.time;
}

/**
 * Returns the first block of the destination that may hold the import of a burn, by the time of the burn's block.
 * @throws {AppError} `daemon`
 */
export async function firstBlockSince(
	source: DaemonClient,
	blockhash: string,
	target: DaemonClient
): Promise<number> {
	const since = (await timeOfBlock(source, blockhash)) - CLOCK_SLACK;
	let { blocks: high } = await target.call('getinfo');
	let low = 1;
	while (low < high) {
		const middle = Math.floor((low + high) / 2);
		const time = await timeOfBlock(target, await target.call('getblockhash', middle));
		if (time < since) low = middle + 1;
		else high = middle;
	}
	return low;
}

/** A notarization recorded in a chain's blocks. */
export interface NotarizationAt {
	/** Height of the block that contains the record. */
	height: number;
	txid: string;
	/** Null when its payload cannot be parsed. */
	data: Notarization | null;
}

/**
 * Returns the notarizations of a chain that one daemon knows, newest first, from height `top` down over at most
 * `NOTARIZATION_WINDOW` blocks.
 *
 * @param form `kmd` when asked on KMD, `back` on the chain itself
 * @param until stops the walk at the first record for which it is true; that record is included
 */
export async function notarizationsDown(
	client: DaemonClient,
	symbol: string,
	form: NotarizationForm,
	top: number,
	until: (found: readonly NotarizationAt[]) => boolean
): Promise<NotarizationAt[]> {
	const list: NotarizationAt[] = [];
	const floor = Math.max(1, top - NOTARIZATION_WINDOW + 1);
	for (let height = top; height >= floor;) {
		const record = await client.call(
			'scanNotarisationsDB',
			String(height),
			symbol,
			String(height - floor + 1)
		);
		if (!record) break;
		list.push({
			height: record.height,
			txid: record.hash,
			data: readRecord(record.opreturn, form)
		});
		if (until(list)) break;
		height = record.height - 1;
	}
	return list;
}

const readRecord = (hex: string, form: NotarizationForm): Notarization | null =>
	readOrNull(() => readNotarizationPayload(hexToBytes(hex), form));
