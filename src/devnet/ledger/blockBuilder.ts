import { concat, displayHash, hexToBytes, internalHash } from '#lib/chain/bytes.ts';
import type { BlockHeader } from '#lib/chain/block.ts';
import { merkleRoot } from '#lib/chain/merkle.ts';
import { p2pk, pushData } from '#lib/chain/script.ts';
import {
	COINBASE_OUTPOINT,
	transparent,
	txidOf,
	unsignedInput,
	type Transaction
} from '#lib/chain/transaction.ts';

/** Root of the empty Sapling tree, which all blocks without shielded outputs have. */
const EMPTY_SAPLING_ROOT = '3e49b5f954aa9d3545bc6c37744661eea48d7c34e3000d82b7f0010c30f4c2fb';
const BITS = 0x200f0f0f;
/** As on the daemon's regtest chains; the length prefix makes any size parseable. */
const SOLUTION_LENGTH = 36;

const littleEndian = (value: number, length: number): Uint8Array => {
	const bytes = new Uint8Array(length);
	let rest = value;
	for (let at = 0; at < Math.min(length, 6); at++) {
		bytes[at] = rest % 256;
		rest = Math.floor(rest / 256);
	}
	return bytes;
};

/** Contents of a coinbase transaction. */
interface CoinbaseParts {
	height: number;
	time: number;
	/** Satoshi paid to the miner. */
	value: bigint;
	/** Public key (hex) that is paid. */
	pubkey: string;
	sapling: boolean;
	/** The chain and the number of disconnections, which make each coinbase unique. */
	symbol: string;
	extraNonce: number;
}

/** Builds a coinbase. Its lock time is the block time, as in the daemon. */
export const buildCoinbase = (parts: CoinbaseParts): Transaction => {
	const scriptSig = concat(
		pushData(littleEndian(parts.height, 4)),
		pushData(littleEndian(parts.extraNonce, 4)),
		pushData(new TextEncoder().encode(parts.symbol))
	);
	const vin = [{ ...unsignedInput(COINBASE_OUTPOINT.txid, COINBASE_OUTPOINT.vout), scriptSig }];
	const vout = [{ value: parts.value, script: p2pk(hexToBytes(parts.pubkey)) }];
	return transparent({ vin, vout, locktime: parts.time }, parts.sapling);
};

/** Builds the header for a list of transactions. */
export const buildHeader = (
	previousHash: string,
	transactions: readonly Transaction[],
	height: number,
	time: number,
	extraNonce: number
): BlockHeader => ({
	version: 4,
	previousHash,
	merkleRoot: displayHash(merkleRoot(transactions.map((tx) => internalHash(txidOf(tx))))),
	finalSaplingRoot: EMPTY_SAPLING_ROOT,
	time,
	bits: BITS,
	nonce: littleEndian(extraNonce, 32),
	solution: littleEndian(height, SOLUTION_LENGTH)
});
