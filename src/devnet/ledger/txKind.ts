import { looksLikeImport } from '#lib/chain/importProof.ts';
import type { Transaction } from '#lib/chain/transaction.ts';

const NULL_TXID = '0'.repeat(64);

/** True for the transaction that pays a miner. */
export const isCoinbase = (tx: Transaction): boolean =>
	tx.vin.length === 1 && tx.vin[0]!.txid === NULL_TXID && tx.vin[0]!.vout === 0xffffffff;

/** The daemon treats every transaction with this one input as an import and checks it later. */
export const isImport = looksLikeImport;

/** Outputs that can never be spent are not kept among the coins. */
export const isUnspendable = (script: Uint8Array): boolean =>
	(script.length > 0 && script[0] === 0x6a) || script.length > 10_001;

/** Sum of the outputs in satoshi. */
export const valueOut = (tx: Transaction): bigint => {
	let sum = 0n;
	for (const out of tx.vout) sum += out.value;
	return sum;
};
