/**
 * Questions to the daemons that are asked before anything is sent: where a transaction is, whether a burn
 * was imported already, which notarizations there are.
 */
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
import type { DaemonMethod, DaemonParams, DaemonResult } from '#lib/rpc/daemon/index.ts';
import { isUnserved } from './unserved.ts';
import type { Gateway } from './types.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import { hasAllBlocks } from './allBlocks.ts';
import { daemonError, type DaemonError } from './daemonError.ts';

/** Komodo daemon 0.9.0: -5 is "no such transaction", in the chain or in the mempool. */
const NOT_FOUND = -5;
/**
 * True for an error that is about the server and not about the transaction: a program in between that lost
 * its connection says so too, after the daemon took the call.
 */
export function isInternal(code: number | undefined): boolean {
	return code === -32_603 || (code !== undefined && code <= -32_000 && code >= -32_099);
}

/** Blocks that an import search reads in one go; what is left is read at the next look. */
const IMPORT_BLOCKS = 500;

/** One daemon, called in the background. */
export interface DaemonClient {
	readonly daemon: string;
	call<M extends DaemonMethod>(method: M, ...params: DaemonParams<M>): Promise<DaemonResult<M>>;
}

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
 * Where a transaction is that the daemon does not find, as far as its wallet tells. Without an index of transactions
 * none is found whose outputs are all spent (Komodo daemon 0.9.0: `GetTransaction`); the wallet knows its own all the same.
 * @throws {AppError} `daemon`
 */
async function findInWallet(client: DaemonClient, txid: string): Promise<Whereabouts> {
	let kept;
	try {
		kept = await client.call('gettransaction', txid);
	} catch (error) {
		const isUnknown = isAppError(error, 'daemon') && error.params.rpcCode === NOT_FOUND;
		// A daemon that was started without a wallet does not serve the method.
		if (isUnknown || isUnserved(error)) return { where: 'absent' };
		throw error;
	}
	// What waits is in the mempool, where it was looked for; what only the wallet still has is nowhere.
	if (!('blockhash' in kept) || kept.rawconfirmations < 1) return { where: 'absent' };
	const { blockhash, hex } = kept;
	if (idOf(hex) !== txid.toLowerCase()) throw otherThanAsked(client, txid);
	const header = await client.call('getblockheader', blockhash);
	// Its block may have been taken back in between.
	if (typeof header === 'string' || header.rawconfirmations < 1) return { where: 'absent' };
	return { where: 'mined', hex, height: header.height, blockhash };
}

/**
 * Where a transaction is on one chain.
 * @throws {AppError} `daemon` when nobody answers, or the answer is about another transaction
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
	const named = typeof found === 'string' ? idOf(found) : found.txid;
	if (named !== txid.toLowerCase()) throw otherThanAsked(client, txid);
	if (typeof found === 'string') return { where: 'mempool', hex: found };
	if ('blockhash' in found && found.height >= 0) {
		return { where: 'mined', hex: found.hex, height: found.height, blockhash: found.blockhash };
	}
	// The daemon looks into its mempool first: what only has a block that was taken back is nowhere.
	if ('blockhash' in found) return { where: 'absent' };
	return { where: 'mempool', hex: found.hex };
}

/**
 * The same of one about which nothing is known here: it may stand in a block that the daemon has not read.
 * @throws {AppError} `daemon` also while it is nowhere and the daemon has not all blocks
 */
export async function findAnywhere(client: DaemonClient, txid: string): Promise<Whereabouts> {
	const found = await findTransaction(client, txid);
	if (found.where !== 'absent') return found;
	const info = await client.call('getinfo');
	if (await hasAllBlocks((method, ...params) => client.call(method, ...params), info)) return found;
	throw syncing(client, 'getrawtransaction', info.blocks, info.longestchain);
}

/**
 * The same of a transaction that was seen in a block: without an index of transactions a daemon does not find one whose
 * outputs are all spent, unless it is its wallet's.
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
	// It may have been taken back in between.
	if (typeof block === 'string' || block.rawconfirmations < 1) return found;
	const isThere = block.tx.some((one) => one === txid);
	return isThere ? { where: 'mined', hex, height, blockhash } : found;
}

/** Whether a block is in the chain as it is now. @throws {AppError} `daemon` */
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

/** A proxy or a daemon in trouble may hand out the answer to another question. */
const otherThanAsked = (client: DaemonClient, txid: string): DaemonError =>
	daemonError(
		'daemon.validation-mismatch',
		{ daemon: client.daemon, method: 'getrawtransaction' },
		{ delivery: 'delivered', fault: { kind: 'transaction', txid } }
	);

/** The transactions that inputs spend, each once; those that cannot be read here left out. @throws {AppError} `daemon` also when one is unknown */
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

/** An import of a burn that is already on its way or in the chain. */
export type FoundImport =
	{ txid: string; where: 'mempool' } | { txid: string; where: 'mined'; height: number };

/**
 * A daemon was asked for what stands in blocks that it does not have yet.
 * @param blocks that it has
 * @param tip height up to which it would have to have them
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
	/** The first block that the next search has to read; all before it were read. */
	from: bigint;
	/** False when blocks are left for the next search, also those that the daemon does not have yet. */
	complete: boolean;
	/** All blocks that the daemon has were read, and it may be still reading others. */
	missing?: { blocks: number; tip: number };
}

/**
 * What waiting transactions import, by their id: the burn, or null for nothing. An id names its bytes, so none is asked
 * for again at the next look, of which each open migration has many.
 */
const importedBurns = new Map<string, string | null>();
const MOST_REMEMBERED = 20_000;

/** The burn that a waiting transaction imports; null for none. @throws {AppError} `daemon` */
async function burnImportedBy(client: DaemonClient, txid: string): Promise<string | null> {
	const known = importedBurns.get(txid);
	if (known !== undefined) return known;
	const hex = await client.call('getrawtransaction', txid);
	if (typeof hex !== 'string') return null;
	// What has another format than an import is none.
	const input = readableTransaction(hex)?.vin[0];
	const burn = input?.vout === IMPORT_INDEX ? input.txid : null;
	// The answer to another question is not kept.
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
			// It was mined or dropped in between.
			if (!isAppError(error, 'daemon') || error.params.rpcCode !== NOT_FOUND) throw error;
		}
	}
	return null;
}

/** Blocks below the tip that a later search reads again: a reorganisation may change them. */
const REREAD = 100n;

/**
 * Looks for any import of a burn on the destination chain: the mempool, then blocks from `from` on.
 * Imports are known by their burn, never by their own txid. (Komodo daemon 0.9.0: two different imports
 * of one burn can be in the mempool together.)
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
	const { blocks, longestchain: tip } = info;
	// It reads its chain anew, and knows nothing of blocks that were there: that is no answer.
	if (BigInt(blocks) + REREAD < from) throw syncing(client, 'getimports', blocks, Number(from));
	const first = Math.max(1, Number(from));
	const last = Math.min(blocks, first + IMPORT_BLOCKS - 1);
	for (let height = first; height <= last; height++) {
		const { imports } = await client.call('getimports', String(height));
		const one = imports.find((entry) => 'txid' in entry.export && entry.export.txid === burnTxid);
		if (one) return { found: { txid: one.txid, where: 'mined', height }, from, complete: true };
	}
	const settled = BigInt(blocks) - REREAD;
	const next = BigInt(last) + 1n;
	const isAtEnd = last >= blocks;
	// While it reads its chain again, the import may stand in what is left of it.
	const isWhole =
		isAtEnd && (await hasAllBlocks((method, ...params) => client.call(method, ...params), info));
	return {
		found: null,
		from: next < settled ? next : settled > from ? settled : from,
		complete: isWhole,
		...(isAtEnd && !isWhole ? { missing: { blocks, tip } } : {})
	};
}

/**
 * The same over all blocks that there are: what was read in part says of no import that there is none.
 * @param onRead called with the first block that a later search has to read: of an old burn there are many before it
 * @throws {AppError} `daemon` also while the daemon has not all of them
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

/** Clocks of two chains may differ by this much. Seconds. */
const CLOCK_SLACK = 2 * 3600;

async function timeOfBlock(client: DaemonClient, blockhash: string): Promise<number> {
	const header = await client.call('getblockheader', blockhash);
	return typeof header === 'string' ? 0 : header.time;
}

/**
 * The first block of the destination that may hold the import of a burn, by the time of the burn's block.
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

/** A record of a notarization in a chain's own blocks. */
export interface NotarizationAt {
	/** The block that holds it. */
	height: number;
	txid: string;
	/** Null when its payload cannot be read. */
	data: Notarization | null;
}

/** A day of KMD: notarizations farther apart than this many blocks do not meet. */
export const WINDOW = 1440;

/**
 * Notarizations of a chain as one daemon knows them, newest first, from `top` down over at most a window.
 *
 * @param form `kmd` when asked on KMD, `back` on the chain itself
 * @param until stops the walk at the first record for which it is true; that one is included
 */
export async function notarizationsDown(
	client: DaemonClient,
	symbol: string,
	form: NotarizationForm,
	top: number,
	until: (found: readonly NotarizationAt[]) => boolean
): Promise<NotarizationAt[]> {
	const list: NotarizationAt[] = [];
	const floor = Math.max(1, top - WINDOW + 1);
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
