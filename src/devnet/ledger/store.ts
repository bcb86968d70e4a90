import {
	closeSync,
	existsSync,
	ftruncateSync,
	mkdirSync,
	openSync,
	readFileSync,
	renameSync,
	writeFileSync,
	writeSync
} from 'node:fs';
import { join } from 'node:path';
import { bytesToHex, hexToBytes } from '#lib/chain/bytes.ts';
import { parseBlock, serializeBlock, type BlockHeader } from '#lib/chain/block.ts';
import { parseTransaction, serializeTransaction } from '#lib/chain/transaction.ts';
import type { Transaction } from '#lib/chain/transaction.ts';
import type { MempoolEntry } from './api.ts';
import type { ChainState } from './state.ts';

const BLOCKS = 'blocks.dat';
const STATE = 'state.json';
const FORMAT = 1;

/** Which blocks the file on disk contains. */
export interface SavePoint {
	dir: string;
	/** Hash of each block in the file, from height 1. */
	hashes: string[];
	/** Offset of the end of each block in the file. */
	ends: number[];
}

/** A chain read from disk. */
interface SavedChain {
	blocks: { header: BlockHeader; transactions: Transaction[]; size: number }[];
	mempool: { tx: Transaction; time: number }[];
	extraNonce: number;
	savePoint: SavePoint;
}

/** The chain on disk is damaged or is not the requested one. */
export class StoreError extends Error {
	readonly code: 'other-chain' | 'damaged';

	constructor(code: 'other-chain' | 'damaged', message: string, options?: ErrorOptions) {
		super(message, options);
		this.name = 'StoreError';
		this.code = code;
	}
}

const lengthPrefix = (length: number): Uint8Array => {
	const bytes = new Uint8Array(4);
	new DataView(bytes.buffer).setUint32(0, length, true);
	return bytes;
};

/** Writes all bytes. On a nearly full disk, `writeSync` may write only some of them, without an error. */
const writeWhole = (handle: number, bytes: Uint8Array, position: number): void => {
	for (let done = 0; done < bytes.length;) {
		done += writeSync(handle, bytes, done, bytes.length - done, position + done);
	}
};

/**
 * Writes what changed since the last save: blocks are appended to one file (truncated first when blocks were
 * replaced); mempool and counters go to a small file that is replaced as a whole.
 */
export const saveChain = (
	dir: string,
	state: ChainState,
	mempool: readonly MempoolEntry[],
	extraNonce: number,
	last: SavePoint | null
): SavePoint => {
	mkdirSync(dir, { recursive: true });
	const file = join(dir, BLOCKS);
	const known = last?.dir === dir && existsSync(file) ? last : { dir, hashes: [], ends: [] };
	let kept = 0;
	while (kept < known.hashes.length && state.blockAt(kept + 1)?.hash === known.hashes[kept]) kept++;
	const hashes = known.hashes.slice(0, kept);
	const ends = known.ends.slice(0, kept);
	const handle = openSync(file, existsSync(file) ? 'r+' : 'w+');
	try {
		let end = ends.at(-1) ?? 0;
		ftruncateSync(handle, end);
		for (let height = kept + 1; height <= state.height; height++) {
			const block = state.blockAt(height)!;
			const bytes = serializeBlock(block);
			writeWhole(handle, lengthPrefix(bytes.length), end);
			writeWhole(handle, bytes, end + 4);
			end += 4 + bytes.length;
			hashes.push(block.hash);
			ends.push(end);
		}
	} finally {
		closeSync(handle);
	}
	const small = {
		format: FORMAT,
		name: state.params.name,
		ccid: state.params.ccid,
		height: state.height,
		tip: state.tip.hash,
		extraNonce,
		mempool: mempool.map(({ tx, time }) => ({ hex: bytesToHex(serializeTransaction(tx)), time }))
	};
	const draft = join(dir, `${STATE}.new`);
	writeFileSync(draft, JSON.stringify(small));
	renameSync(draft, join(dir, STATE));
	return { dir, hashes, ends };
};

interface SmallState {
	format: number;
	name: string;
	ccid: number;
	height: number;
	extraNonce: number;
	mempool: { hex: string; time: number }[];
}

/**
 * Reads a chain from disk. Blocks after a truncation (by a crash while writing) are dropped.
 *
 * @throws StoreError when there is none, or it is another chain
 */
export const loadChain = (dir: string, state: ChainState): SavedChain => {
	let small: SmallState;
	let bytes: Uint8Array;
	try {
		small = JSON.parse(readFileSync(join(dir, STATE), 'utf8')) as SmallState;
		bytes = readFileSync(join(dir, BLOCKS));
	} catch (cause) {
		throw new StoreError('damaged', `no readable chain in ${dir}`, { cause });
	}
	if (small.format !== FORMAT) throw new StoreError('damaged', `unknown format ${small.format}`);
	const { name, ccid } = state.params;
	if (small.name !== name || small.ccid !== ccid) {
		throw new StoreError(
			'other-chain',
			`${dir} holds chain ${small.name || 'KMD'} (${small.ccid})`
		);
	}
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const blocks: SavedChain['blocks'] = [];
	const ends: number[] = [];
	let at = 0;
	while (blocks.length < small.height && at + 4 <= bytes.length) {
		const length = view.getUint32(at, true);
		if (at + 4 + length > bytes.length) break;
		const block = parseBlock(bytes.slice(at + 4, at + 4 + length));
		blocks.push({ header: block.header, transactions: block.transactions, size: length });
		at += 4 + length;
		ends.push(at);
	}
	return {
		blocks,
		mempool: small.mempool.map(({ hex, time }) => ({
			tx: parseTransaction(hexToBytes(hex)),
			time
		})),
		extraNonce: small.extraNonce,
		savePoint: { dir, hashes: [], ends }
	};
};
