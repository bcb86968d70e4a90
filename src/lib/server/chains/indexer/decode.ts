/** Decodes raw blocks to what the index needs: position, and transactions with their ids. */
import { hash as digestOf } from 'node:crypto';
import { readLink } from '#lib/chain/block.ts';
import { ByteReader, hexToBytes } from '#lib/chain/bytes.ts';
import { isChainError } from '#lib/chain/chainError.ts';
import { readTransaction, skipTransaction, type Transaction } from '#lib/chain/transaction.ts';

export interface DecodedTransaction {
	txid: string;
	/** Bytes. */
	size: number;
	tx: Transaction;
}

export interface DecodedBlock {
	hash: string;
	/** All zeros for the genesis block. */
	previousHash: string;
	/** Unix seconds. */
	time: number;
	size: number;
	transactions: DecodedTransaction[];
}

/** A raw block with its hashes, which are computed in the thread that fetches it. */
export interface RawBlock {
	bytes: Uint8Array;
	/**
	 * 32 bytes each, in display order: of the block, then of each transaction. Null when a transaction cannot be
	 * parsed.
	 */
	hashes: Uint8Array | null;
}

/** Double SHA-256 by the runtime, because a synchronization hashes every byte of the chain. */
const hash256 = (bytes: Uint8Array): Uint8Array =>
	digestOf('sha256', digestOf('sha256', bytes, 'buffer'), 'buffer').reverse();

/**
 * Computes the hashes of a raw block.
 * @param own the hash by which the chain names the block; null where it is that of the header's bytes
 */
export function hashBlock(bytes: Uint8Array, own: string | null): RawBlock {
	try {
		const reader = new ByteReader(bytes);
		readLink(reader);
		const head = reader.offset;
		const count = reader.count(10, 'number of transactions');
		const hashes = new Uint8Array(32 * (count + 1));
		hashes.set(own === null ? hash256(bytes.subarray(0, head)) : hexToBytes(own));
		for (let place = 1; place <= count; place++) {
			const start = reader.offset;
			skipTransaction(reader);
			hashes.set(hash256(bytes.subarray(start, reader.offset)), 32 * place);
		}
		reader.end('block');
		return { bytes, hashes };
	} catch (error) {
		if (isChainError(error, 'parse')) return { bytes, hashes: null };
		throw error;
	}
}

/** Decodes a raw block; null when a transaction has an unknown format. */
export function decodeBlock({ bytes, hashes }: RawBlock): DecodedBlock | null {
	if (hashes === null) return null;
	const hex = Buffer.from(hashes.buffer, hashes.byteOffset, hashes.length).toString('hex');
	const hashAt = (place: number): string => hex.slice(64 * place, 64 * place + 64);
	const reader = new ByteReader(bytes);
	const { previousHash, time } = readLink(reader);
	const count = reader.count(10, 'number of transactions');
	const transactions: DecodedTransaction[] = [];
	for (let place = 1; place <= count; place++) {
		const start = reader.offset;
		const tx = readTransaction(reader);
		transactions.push({ txid: hashAt(place), size: reader.offset - start, tx });
	}
	return { hash: hashAt(0), previousHash, time, size: bytes.length, transactions };
}
