import { looksLikeImport } from '#lib/chain/importProof.ts';
import type { Transaction } from '#lib/chain/transaction.ts';

/** The daemon treats every transaction with this single input as an import and validates it later. */
export const isImport = looksLikeImport;

/** True for outputs that can never be spent and are not stored among the coins. */
export const isUnspendable = (script: Uint8Array): boolean =>
	(script.length > 0 && script[0] === 0x6a) || script.length > 10_001;

/** Returns the sum of the outputs in satoshi. */
export const valueOut = (tx: Transaction): bigint => {
	let sum = 0n;
	for (const out of tx.vout) sum += out.value;
	return sum;
};
