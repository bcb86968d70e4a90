/** Proofs of `gettxoutproof`: a block header and the part of its merkle tree that proves some txids. */
import { readHeader, serializeHeader, type Block, type BlockHeader } from './block.ts';
import { ByteReader, ByteWriter, displayHash, hexToBytes, internalHash } from './bytes.ts';
import { hashPair, levelAbove, treeHeight, widthAt } from './merkle.ts';
import { txidOf } from './transaction.ts';

export interface TxOutProof {
	header: BlockHeader;
	/** Number of transactions in the whole block. */
	total: number;
	/** Nodes of the tree, depth first; 32 bytes each, internal order. */
	hashes: Uint8Array[];
	/** Flag bits, least significant first (BIP 37). */
	flags: Uint8Array;
}

/** Upper bound of the transactions that fit into a block of maximum size. */
const MAX_TRANSACTIONS = 4_194_304 / 60;

/** Reads a proof of `gettxoutproof`; leaves the reader after it. @throws {ChainError} `parse` */
export function readTxOutProof(reader: ByteReader): TxOutProof {
	const header = readHeader(reader);
	const total = reader.u32('number of transactions');
	const count = reader.count(32, 'number of hashes');
	const hashes = Array.from({ length: count }, () => reader.take(32, 'hash'));
	return { header, total, hashes, flags: reader.varSlice('flag bits') };
}

/** @throws {ChainError} `parse` also when bytes are left over */
export function parseTxOutProof(source: Uint8Array | string): TxOutProof {
	const reader = new ByteReader(typeof source === 'string' ? hexToBytes(source) : source);
	const proof = readTxOutProof(reader);
	reader.end('proof');
	return proof;
}

export function serializeTxOutProof(proof: TxOutProof): Uint8Array {
	const writer = new ByteWriter().bytes(serializeHeader(proof.header)).u32(proof.total);
	writer.compactSize(proof.hashes.length);
	for (const hash of proof.hashes) writer.bytes(hash);
	return writer.varSlice(proof.flags).finish();
}

/**
 * Evaluates a proof: returns the root that its hashes lead to (internal order; all zero when the proof is
 * inconsistent) and the txids that it includes. Callers must compare the root with that of the header.
 */
export function provenTxids(proof: TxOutProof): { root: Uint8Array; matches: string[] } {
	const nothing = { root: new Uint8Array(32), matches: [] };
	const { total, hashes, flags } = proof;
	if (total === 0 || total > MAX_TRANSACTIONS || hashes.length > total) return nothing;
	if (flags.length * 8 < hashes.length) return nothing;
	const matches: string[] = [];
	let usedBits = 0;
	let usedHashes = 0;
	let bad = false;

	const walk = (height: number, position: number): Uint8Array => {
		const bit = usedBits++;
		if (bit >= flags.length * 8) {
			bad = true;
			return new Uint8Array(32);
		}
		const flag = (flags[bit >> 3]! >> (bit & 7)) & 1;
		if (height === 0 || flag === 0) {
			const hash = hashes[usedHashes++];
			if (!hash) {
				bad = true;
				return new Uint8Array(32);
			}
			if (height === 0 && flag === 1) matches.push(displayHash(hash));
			return hash;
		}
		const left = walk(height - 1, position * 2);
		if (bad) return left;
		if (position * 2 + 1 >= widthAt(total, height - 1)) return hashPair(left, left);
		const right = walk(height - 1, position * 2 + 1);
		// Equal siblings are refused: a forged tree can use them to repeat a transaction.
		if (displayHash(left) === displayHash(right)) bad = true;
		return hashPair(left, right);
	};

	const root = walk(treeHeight(total), 0);
	const allUsed = Math.ceil(usedBits / 8) === flags.length && usedHashes === hashes.length;
	return bad || !allUsed ? nothing : { root, matches };
}

/** Builds the proof for these transactions. @throws {RangeError} when one of them is not in the block */
export function buildTxOutProof(block: Block, txids: readonly string[]): TxOutProof {
	const all = block.transactions.map(txidOf);
	const wanted = new Set(txids);
	for (const txid of wanted) {
		if (!all.includes(txid)) throw new RangeError(`The block does not hold ${txid}.`);
	}
	let level = all.map(internalHash);
	const levels = [level];
	while (level.length > 1) {
		level = levelAbove(level);
		levels.push(level);
	}
	const bits: number[] = [];
	const hashes: Uint8Array[] = [];
	const walk = (height: number, position: number): void => {
		const first = position * 2 ** height;
		const covers = all.slice(first, first + 2 ** height).some((txid) => wanted.has(txid));
		bits.push(covers ? 1 : 0);
		if (height === 0 || !covers) {
			hashes.push(levels[height]![position]!);
			return;
		}
		walk(height - 1, position * 2);
		if (position * 2 + 1 < widthAt(all.length, height - 1)) walk(height - 1, position * 2 + 1);
	};
	walk(levels.length - 1, 0);
	const flags = new Uint8Array(Math.ceil(bits.length / 8));
	bits.forEach((bit, i) => (flags[i >> 3]! |= bit << (i & 7)));
	return { header: block.header, total: all.length, hashes, flags };
}
