/**
 * Self-import: on a chain started with `ac_import=PUBKEY` the owner of `ac_pubkey` creates coins. The
 * source transaction names the amount; an object made from it stands where other imports have a burn.
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

/** The script of a source transaction's last output. */
export function selfImportSourceScript(amount: Satoshi): Uint8Array {
	return opReturn(new ByteWriter().u8(EVAL.importCoin).u8(AMOUNT_FUNCTION).i64(amount).finish());
}

/** The amount in satoshi that a source transaction announces, or null when it is none. */
export function parseSelfImportSource(tx: Transaction): Satoshi | null {
	const last = tx.vout.at(-1);
	const data = last && nulldataOf(last.script);
	if (data?.length !== 10 || data[0] !== EVAL.importCoin || data[1] !== AMOUNT_FUNCTION) {
		return null;
	}
	return new ByteReader(data.slice(2)).i64('amount');
}

/** The object that stands for the burn: the signed source's inputs and one burn output. */
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
 * The import of a self-import, of the version that its source has. The index of its proof means nothing; the
 * daemon leaves it unset.
 */
export function buildSelfImport(source: Transaction, payouts: readonly TxOut[]): Transaction {
	const proof: ImportProof = { kind: 'txproof', txid: txidOf(source), index: 0, branch: [] };
	const version = source.overwintered ? 'sapling' : 'original';
	return buildImport(quasiBurn(source, payouts), payouts, proof, 0, version);
}
