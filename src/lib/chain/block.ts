/** Block headers and blocks. */
import { ByteReader, ByteWriter, displayHash, hexToBytes, internalHash } from './bytes.ts';
import { hash256 } from './hash.ts';
import { readTransaction, serializeTransaction, type Transaction } from './transaction.ts';

/** Hashes are lower-case hex in display order. */
export interface BlockHeader {
	version: number;
	previousHash: string;
	merkleRoot: string;
	finalSaplingRoot: string;
	/** Unix seconds. */
	time: number;
	/** The target in compact form. */
	bits: number;
	/** 32 bytes. */
	nonce: Uint8Array;
	/** Equihash solution: 1344 bytes on main chains, other lengths elsewhere. */
	solution: Uint8Array;
}

export interface Block {
	header: BlockHeader;
	transactions: Transaction[];
}

/** Reads a header with its solution; leaves the reader after it. @throws {ChainError} `parse` */
export function readHeader(reader: ByteReader): BlockHeader {
	return {
		version: reader.i32('block version'),
		previousHash: reader.hash('previous block hash'),
		merkleRoot: reader.hash('merkle root'),
		finalSaplingRoot: reader.hash('Sapling root'),
		time: reader.u32('block time'),
		bits: reader.u32('block target'),
		nonce: reader.take(32, 'nonce'),
		solution: reader.varSlice('solution')
	};
}

/**
 * Reads only the fields that link a block to its chain; leaves the reader after the header.
 * @throws {ChainError} `parse`
 */
export function readLink(reader: ByteReader): Pick<BlockHeader, 'previousHash' | 'time'> {
	reader.skip(4, 'block version');
	const previousHash = reader.hash('previous block hash');
	reader.skip(64, 'merkle and Sapling root');
	const time = reader.u32('block time');
	reader.skip(36, 'block target and nonce');
	reader.skip(reader.compactSize('solution length'), 'solution');
	return { previousHash, time };
}

/** @throws {ChainError} `parse` also when bytes are left over */
export function parseHeader(source: Uint8Array | string): BlockHeader {
	const reader = new ByteReader(typeof source === 'string' ? hexToBytes(source) : source);
	const header = readHeader(reader);
	reader.end('block header');
	return header;
}

export function serializeHeader(header: BlockHeader): Uint8Array {
	return new ByteWriter()
		.u32(header.version >>> 0)
		.bytes(internalHash(header.previousHash))
		.bytes(internalHash(header.merkleRoot))
		.bytes(internalHash(header.finalSaplingRoot))
		.u32(header.time)
		.u32(header.bits)
		.bytes(header.nonce)
		.varSlice(header.solution)
		.finish();
}

/** Returns the hash of all header bytes, including the solution; display order. */
export function blockHash(header: BlockHeader): string {
	return displayHash(hash256(serializeHeader(header)));
}

/** @throws {ChainError} `parse` also when bytes are left over */
export function parseBlock(source: Uint8Array | string): Block {
	const reader = new ByteReader(typeof source === 'string' ? hexToBytes(source) : source);
	const header = readHeader(reader);
	const count = reader.count(10, 'number of transactions');
	const transactions = Array.from({ length: count }, () => readTransaction(reader));
	reader.end('block');
	return { header, transactions };
}

export function serializeBlock(block: Block): Uint8Array {
	const writer = new ByteWriter().bytes(serializeHeader(block.header));
	writer.compactSize(block.transactions.length);
	for (const tx of block.transactions) writer.bytes(serializeTransaction(tx));
	return writer.finish();
}
