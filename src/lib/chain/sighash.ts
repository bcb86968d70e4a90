/**
 * Signature hashes. Overwintered transactions follow ZIP 143 (version 3) and ZIP 243 (version 4), which also
 * sign the amount of the spent output. Version 1 uses Bitcoin's original scheme.
 */
import { ByteWriter, concat, internalHash, join } from './bytes.ts';
import type { Satoshi } from './amount.ts';
import { blake2b256, hash256 } from './hash.ts';
import { serializeTransaction, type Transaction, type TxOut } from './transaction.ts';

export const OVERWINTER_BRANCH_ID = 0x5ba81b19;
export const SAPLING_BRANCH_ID = 0x76b809bb;

export const SIGHASH_ALL = 1;
const SIGHASH_NONE = 2;
export const SIGHASH_SINGLE = 3;
export const SIGHASH_ANYONECANPAY = 0x80;

/** Hash types by the names that `signrawtransaction` accepts. */
export const HASH_TYPES: ReadonlyMap<string, number> = new Map([
	['ALL', SIGHASH_ALL],
	['NONE', SIGHASH_NONE],
	['SINGLE', SIGHASH_SINGLE],
	['ALL|ANYONECANPAY', SIGHASH_ALL | SIGHASH_ANYONECANPAY],
	['NONE|ANYONECANPAY', SIGHASH_NONE | SIGHASH_ANYONECANPAY],
	['SINGLE|ANYONECANPAY', SIGHASH_SINGLE | SIGHASH_ANYONECANPAY]
]);

const ZERO = new Uint8Array(32);
const text = (value: string): Uint8Array => new TextEncoder().encode(value);
const outputBytes = ({ value, script }: TxOut): Uint8Array =>
	new ByteWriter().i64(value).varSlice(script).finish();

/**
 * Returns the 32 bytes that input `index` signs.
 *
 * @param scriptCode script of the spent output; for a crypto-condition the complete script
 * @param amount satoshi of the spent output
 * @param branchId consensus branch id at the height at which the transaction will be mined
 * @throws {RangeError} when there is no such input; before Overwinter also when hash type SINGLE has no
 *   output at the same index, which daemons of the Zcash family refuse (Bitcoin signs the number one)
 */
export function signatureHash(
	tx: Transaction,
	index: number,
	scriptCode: Uint8Array,
	amount: Satoshi,
	hashType: number = SIGHASH_ALL,
	branchId: number = tx.version === 3 ? OVERWINTER_BRANCH_ID : SAPLING_BRANCH_ID
): Uint8Array {
	const input = tx.vin[index];
	if (!input) throw new RangeError(`There is no input ${index}.`);
	if (!tx.overwintered) return originalHash(tx, index, scriptCode, hashType);

	const anyone = (hashType & SIGHASH_ANYONECANPAY) !== 0;
	const base = hashType & 0x1f;
	const all = base !== SIGHASH_NONE && base !== SIGHASH_SINGLE;
	const { shielded } = tx;
	const part = (personalization: string, data: Uint8Array): Uint8Array =>
		blake2b256(text(personalization), data);

	const prevouts = anyone
		? ZERO
		: part('ZcashPrevoutHash', join(tx.vin.map((i) => outpoint(i.txid, i.vout))));
	const sequences =
		anyone || !all
			? ZERO
			: part(
					'ZcashSequencHash',
					join(tx.vin.map((i) => new ByteWriter().u32(i.sequence).finish()))
				);
	const single = base === SIGHASH_SINGLE ? tx.vout[index] : undefined;
	const outputs = all
		? part('ZcashOutputsHash', join(tx.vout.map(outputBytes)))
		: single
			? part('ZcashOutputsHash', outputBytes(single))
			: ZERO;
	const joinSplits =
		shielded.joinSplits.length > 0
			? part('ZcashJSplitsHash', join([...shielded.joinSplits, shielded.joinSplitPubkey]))
			: ZERO;

	const writer = new ByteWriter().u32(tx.version + 0x80000000).u32(tx.versionGroupId);
	writer.bytes(prevouts).bytes(sequences).bytes(outputs).bytes(joinSplits);
	if (tx.version >= 4) {
		const spends = shielded.spends.map((spend) => spend.slice(0, 320));
		writer.bytes(spends.length > 0 ? part('ZcashSSpendsHash', join(spends)) : ZERO);
		writer.bytes(
			shielded.outputs.length > 0 ? part('ZcashSOutputHash', join(shielded.outputs)) : ZERO
		);
	}
	writer.u32(tx.locktime).u32(tx.expiryHeight);
	if (tx.version >= 4) writer.i64(tx.valueBalance);
	writer.u32(hashType);
	writer.bytes(outpoint(input.txid, input.vout)).varSlice(scriptCode);
	writer.i64(amount).u32(input.sequence);

	const branch = new ByteWriter().u32(branchId).finish();
	return blake2b256(concat(text('ZcashSigHash'), branch), writer.finish());
}

const outpoint = (txid: string, vout: number): Uint8Array =>
	new ByteWriter().bytes(internalHash(txid)).u32(vout).finish();

function originalHash(
	tx: Transaction,
	index: number,
	scriptCode: Uint8Array,
	hashType: number
): Uint8Array {
	const base = hashType & 0x1f;
	if (base === SIGHASH_SINGLE && index >= tx.vout.length) {
		throw new RangeError('There is no output to go with the input (hash type SINGLE).');
	}
	const others = base === SIGHASH_NONE || base === SIGHASH_SINGLE ? 0 : undefined;
	let vin = tx.vin.map((input, i) => ({
		...input,
		scriptSig: i === index ? scriptCode : new Uint8Array(0),
		sequence: i === index ? input.sequence : (others ?? input.sequence)
	}));
	if ((hashType & SIGHASH_ANYONECANPAY) !== 0) vin = [vin[index]!];
	let { vout } = tx;
	if (base === SIGHASH_NONE) vout = [];
	if (base === SIGHASH_SINGLE) {
		vout = tx.vout
			.slice(0, index + 1)
			.map((out, i) => (i === index ? out : { value: -1n, script: new Uint8Array(0) }));
	}
	// Version 2 signs its joinsplits with zeros in place of their own signature.
	const joinSplitSignature = new Uint8Array(tx.shielded.joinSplitSignature.length);
	const unsigned: Transaction = {
		...tx,
		vin,
		vout,
		shielded: { ...tx.shielded, joinSplitSignature }
	};
	return hash256(concat(serializeTransaction(unsigned), new ByteWriter().u32(hashType).finish()));
}
