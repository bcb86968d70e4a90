/** A block as the index needs it: its place, and its transactions with their ids. */
import { hash as digestOf } from 'node:crypto';
import { ByteReader, ChainParseError, hexToBytes } from '#lib/chain/bytes.ts';
import { readLink } from '#lib/chain/block.ts';
import { exactInteger } from '#lib/rpc/exact.ts';
import {
	NO_SHIELDED,
	readTransaction,
	skipTransaction,
	type Transaction
} from '#lib/chain/transaction.ts';

export interface DecodedTransaction {
	txid: string;
	/** Bytes. */
	size: number;
	tx: Transaction;
}

export interface DecodedBlock {
	hash: string;
	/** All zero for the genesis block. */
	previousHash: string;
	/** Seconds since 1970. */
	time: number;
	size: number;
	transactions: DecodedTransaction[];
}

/** A block as it came, with its hashes, which are computed where it came in. */
export interface RawBlock {
	bytes: Uint8Array;
	/**
	 * 32 bytes each, in display order: of the block, then of each transaction. Null where a transaction cannot
	 * be read here.
	 */
	hashes: Uint8Array | null;
}

/** SHA-256 twice; the runtime's own, because a synchronisation hashes every byte of the chain. */
const hash256 = (bytes: Uint8Array): Uint8Array =>
	digestOf('sha256', digestOf('sha256', bytes, 'buffer'), 'buffer').reverse();

/** Hashes a raw block. */
export function hashBlock(bytes: Uint8Array): RawBlock {
	try {
		const reader = new ByteReader(bytes);
		readLink(reader);
		const head = reader.offset;
		const count = reader.count(10, 'number of transactions');
		const hashes = new Uint8Array(32 * (count + 1));
		hashes.set(hash256(bytes.subarray(0, head)));
		for (let place = 1; place <= count; place++) {
			const start = reader.offset;
			skipTransaction(reader);
			hashes.set(hash256(bytes.subarray(start, reader.offset)), 32 * place);
		}
		reader.end('block');
		return { bytes, hashes };
	} catch (error) {
		if (error instanceof ChainParseError) return { bytes, hashes: null };
		throw error;
	}
}

/** Reads a raw block; null where a transaction's format is not known. */
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

/** What the daemon's own decoding of a block must hold to be indexed. */
interface VerboseBlock {
	hash: string;
	previousblockhash?: string;
	time: number;
	size: number;
	tx: {
		txid: string;
		hex?: string;
		vin: { txid?: string; vout?: number; scriptSig?: { hex: string } }[];
		vout: {
			valueSat?: bigint;
			valueZat?: bigint;
			value?: bigint;
			scriptPubKey: { hex: string };
		}[];
	}[];
}

const COINBASE = { txid: '0'.repeat(64), vout: 0xffffffff };

/**
 * Takes the daemon's own decoding of a block that holds a transaction format which is not known here, so
 * that the chain is followed on. Such a transaction has the inputs and outputs that the daemon names.
 *
 * @param text the answer of `getblock` with verbosity 2, whose amounts are read from their digits
 * @throws {TypeError} when it has not that form
 */
export function decodeVerboseBlock(text: string): DecodedBlock {
	const block = JSON.parse(text, exactSatoshi) as VerboseBlock;
	return {
		hash: block.hash,
		previousHash: block.previousblockhash ?? '0'.repeat(64),
		time: block.time,
		size: block.size,
		transactions: block.tx.map(({ txid, hex, vin, vout }) => ({
			txid,
			size: (hex?.length ?? 0) / 2,
			tx: {
				overwintered: true,
				version: 4,
				versionGroupId: 0,
				vin: vin.map((input) => ({
					txid: input.txid ?? COINBASE.txid,
					vout: input.vout ?? COINBASE.vout,
					scriptSig: hexToBytes(input.scriptSig?.hex ?? ''),
					sequence: 0xffffffff
				})),
				vout: vout.map((output) => ({
					value: satoshiOf(output),
					script: hexToBytes(output.scriptPubKey.hex)
				})),
				locktime: 0,
				expiryHeight: 0,
				valueBalance: 0n,
				shielded: NO_SHIELDED
			}
		}))
	};
}

/** Satoshi from their digits: a double may lose the last one. */
function exactSatoshi(name: string, value: unknown, context?: { source?: string }): unknown {
	const decimals = DECIMALS.get(name);
	if (decimals === undefined || context?.source === undefined) return value;
	return exactInteger(context.source, decimals) ?? undefined;
}

/** How an amount is written. Komodo daemon 0.9.0: `valueZat` in a block, `valueSat` in a transaction. */
const DECIMALS = new Map([
	['valueSat', 0],
	['valueZat', 0],
	['value', 8]
]);

function satoshiOf({
	valueSat,
	valueZat,
	value
}: VerboseBlock['tx'][number]['vout'][number]): bigint {
	const satoshi = valueZat ?? valueSat ?? value;
	if (satoshi === undefined) throw new TypeError('The daemon names no value in satoshi.');
	return satoshi;
}
