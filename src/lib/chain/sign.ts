/** Signing an input with a key, and checking an input, for the three kinds of script that wallets use. */
import { bytesEqual, concat } from './bytes.ts';
import type { Satoshi } from './amount.ts';
import {
	parseFulfillment,
	signCcInput,
	verifyFulfillment,
	type ConditionNode
} from './cryptocondition.ts';
import { hash160 } from './hash.ts';
import { publicKeyOf, signDer, verifyDer } from './key.ts';
import { classify, parsePushes, pushData } from './script.ts';
import { SIGHASH_ALL, signatureHash } from './sighash.ts';
import type { Transaction } from './transaction.ts';

/** The output that an input spends. */
export interface Prevout {
	script: Uint8Array;
	value: Satoshi;
}

export type SignErrorCode = 'no-input' | 'other-key' | 'unknown-script';

/** A key that does not open an output. */
export class SignError extends Error {
	override readonly name = 'SignError';
	readonly code: SignErrorCode;

	constructor(code: SignErrorCode, message: string) {
		super(message);
		this.code = code;
	}
}

/**
 * The transaction with input `index` signed (hash type ALL).
 *
 * @param condition the crypto-condition of the output, when it is not one of the usual ones of the key
 * @throws {SignError}
 */
export function signInput(
	tx: Transaction,
	index: number,
	prevout: Prevout,
	privateKey: Uint8Array,
	condition?: ConditionNode
): Transaction {
	const input = tx.vin[index];
	if (!input) throw new SignError('no-input', `There is no input ${index}.`);
	const pubkey = publicKeyOf(privateKey);
	const hash = signatureHash(tx, index, prevout.script, prevout.value);
	const scriptSig = inputScript(prevout.script, hash, privateKey, pubkey, condition);
	return { ...tx, vin: tx.vin.map((other, i) => (i === index ? { ...input, scriptSig } : other)) };
}

function inputScript(
	script: Uint8Array,
	hash: Uint8Array,
	privateKey: Uint8Array,
	pubkey: Uint8Array,
	condition: ConditionNode | undefined
): Uint8Array {
	const kind = classify(script);
	const signature = (): Uint8Array =>
		pushData(concat(signDer(hash, privateKey), Uint8Array.of(SIGHASH_ALL)));
	if (kind.type === 'pubkey' && kind.pubkey) {
		if (!bytesEqual(kind.pubkey, pubkey)) throw otherKey();
		return signature();
	}
	if (kind.type === 'pubkeyhash' && kind.hash) {
		if (!bytesEqual(kind.hash, hash160(pubkey))) throw otherKey();
		return concat(signature(), pushData(pubkey));
	}
	if (kind.type === 'cryptocondition') {
		const opened = signCcInput(script, hash, privateKey, pubkey, condition);
		if (!opened) throw otherKey();
		return opened;
	}
	throw new SignError('unknown-script', `An output of type ${kind.type} cannot be signed here.`);
}

const otherKey = (): SignError =>
	new SignError('other-key', 'This key does not open the output that is to be spent.');

/**
 * True when input `index` is allowed to spend the output, as far as signatures go. The rules of the
 * modules behind a crypto-condition's eval codes are not looked at.
 *
 * @param branchId as for {@link signatureHash}
 */
export function verifyInput(
	tx: Transaction,
	index: number,
	prevout: Prevout,
	branchId?: number
): boolean {
	const scriptSig = tx.vin[index]?.scriptSig;
	if (!scriptSig) return false;
	const hashFor = (type: number): Uint8Array =>
		signatureHash(tx, index, prevout.script, prevout.value, type, branchId);
	try {
		return opens(prevout.script, scriptSig, hashFor);
	} catch (error) {
		// There is nothing to sign under this hash type.
		if (error instanceof RangeError) return false;
		throw error;
	}
}

/**
 * True when the signature of an input covers all inputs and all outputs (hash type ALL). Under any other type
 * whoever sees the transaction can give it other outputs, and the signature still holds.
 */
export function signsEverything(script: Uint8Array, scriptSig: Uint8Array): boolean {
	if (classify(script).type === 'cryptocondition') {
		return parseFulfillment(scriptSig)?.hashType === SIGHASH_ALL;
	}
	return parsePushes(scriptSig)?.[0]?.at(-1) === SIGHASH_ALL;
}

function opens(
	script: Uint8Array,
	scriptSig: Uint8Array,
	hashFor: (hashType: number) => Uint8Array
): boolean {
	const kind = classify(script);
	if (kind.type === 'cryptocondition') {
		const hashType = parseFulfillment(scriptSig)?.hashType;
		return hashType !== undefined && verifyFulfillment(script, scriptSig, hashFor(hashType));
	}
	const pushes = parsePushes(scriptSig);
	const signed = pushes?.[0];
	if (!pushes || !signed || signed.length < 9) return false;
	const signature = signed.slice(0, -1);
	const hashType = signed[signed.length - 1]!;
	if (kind.type === 'pubkey' && kind.pubkey) {
		return pushes.length === 1 && verifyDer(signature, hashFor(hashType), kind.pubkey);
	}
	if (kind.type === 'pubkeyhash' && kind.hash) {
		const key = pushes[1];
		if (pushes.length !== 2 || !key || !bytesEqual(hash160(key), kind.hash)) return false;
		return verifyDer(signature, hashFor(hashType), key);
	}
	return false;
}
