/** A block as the index needs it: its place, and its transactions with their ids. */
import { createHash } from 'node:crypto';
import { ByteReader, displayHash, hexToBytes } from '#lib/chain/bytes.ts';
import { readHeader } from '#lib/chain/block.ts';
import { NO_SHIELDED, readTransaction, type Transaction } from '#lib/chain/transaction.ts';

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

/** SHA-256 twice; the runtime's own, because a synchronisation hashes every byte of the chain. */
const hash256 = (bytes: Uint8Array): Uint8Array =>
	createHash('sha256').update(createHash('sha256').update(bytes).digest()).digest();

/**
 * Reads a raw block.
 * @throws {ChainParseError} also for a transaction format that is not known
 */
export function decodeBlock(raw: Uint8Array): DecodedBlock {
	const reader = new ByteReader(raw);
	const header = readHeader(reader);
	const hash = displayHash(hash256(raw.subarray(0, reader.offset)));
	const count = reader.count(10, 'number of transactions');
	const transactions: DecodedTransaction[] = [];
	for (let place = 0; place < count; place++) {
		const start = reader.offset;
		const tx = readTransaction(reader);
		const bytes = raw.subarray(start, reader.offset);
		transactions.push({ txid: displayHash(hash256(bytes)), size: bytes.length, tx });
	}
	reader.end('block');
	const { previousHash, time } = header;
	return { hash, previousHash, time, size: raw.length, transactions };
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
		vout: { valueSat?: bigint; scriptPubKey: { hex: string } }[];
	}[];
}

const COINBASE = { txid: '0'.repeat(64), vout: 0xffffffff };

/**
 * Takes the daemon's own decoding of a block that holds a transaction format which is not known here, so
 * that the chain is followed on. Such a transaction has the inputs and outputs that the daemon names.
 *
 * @param text the answer of `getblock` with verbosity 2, whose amounts are read from `valueSat`
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
	return name === 'valueSat' && context?.source !== undefined ? BigInt(context.source) : value;
}

function satoshiOf({ valueSat }: { valueSat?: bigint }): bigint {
	if (valueSat === undefined) throw new TypeError('The daemon names no value in satoshi.');
	return valueSat;
}
