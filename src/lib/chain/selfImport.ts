/**
 * Self-import: on a chain started with `ac_import=PUBKEY` the holder of `ac_pubkey` creates coins. The source
 * transaction names the amount; an object derived from it takes the place of the burn in the import.
 */
import type { Satoshi } from './amount.ts';
import { burnScript, payoutsHash, SELF_IMPORT_CCID } from './burn.ts';
import { ByteReader, ByteWriter } from './bytes.ts';
import { EVAL } from './cryptocondition.ts';
import { buildImport, type ImportProof } from './importProof.ts';
import { nulldataOf, opReturn } from './script.ts';
import { txidOf, type Transaction, type TxOut } from './transaction.ts';

const AMOUNT_FUNCTION = 0x41;
const SYMBOL = 'PUBKEY';

/** Returns the script of the last output of a source transaction. */
export function selfImportSourceScript(amount: Satoshi): Uint8Array {
	return opReturn(new ByteWriter().u8(EVAL.importCoin).u8(AMOUNT_FUNCTION).i64(amount).finish());
}

/** Returns the satoshi that a source transaction announces; null when the transaction is not one. */
export function parseSelfImportSource(tx: Transaction): Satoshi | null {
	const last = tx.vout.at(-1);
	const data = last && nulldataOf(last.script);
	if (data?.length !== 10 || data[0] !== EVAL.importCoin || data[1] !== AMOUNT_FUNCTION) {
		return null;
	}
	return new ByteReader(data.slice(2)).i64('amount');
}

/** Returns the object that replaces the burn: the inputs of the signed source and one burn output. */
export function quasiBurn(source: Transaction, payouts: readonly TxOut[]): Transaction {
	const value = payouts[0]?.value ?? 0n;
	const script = burnScript({
		targetCcid: SELF_IMPORT_CCID,
		targetSymbol: SYMBOL,
		payoutsHash: payoutsHash(payouts),
		sourceSymbol: ''
	});
	return { ...source, vout: [{ value, script }] };
}

/**
 * Builds the import of a self-import, in the transaction version of its source. The index of its proof is
 * ignored; the daemon leaves it uninitialized.
 */
export function buildSelfImport(source: Transaction, payouts: readonly TxOut[]): Transaction {
	const proof: ImportProof = { kind: 'txproof', txid: txidOf(source), index: 0, branch: [] };
	const version = source.overwintered ? 'sapling' : 'original';
	return buildImport(quasiBurn(source, payouts), payouts, proof, 0, version);
}
