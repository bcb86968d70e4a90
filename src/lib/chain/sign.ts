/** Signs inputs with a key, and checks the signatures of an input and what they cover. */
import { bytesEqual, concat } from './bytes.ts';
import type { Satoshi } from './amount.ts';
import { ChainError } from './chainError.ts';
import { parseFulfillment, verifyFulfillment } from './cryptocondition/fulfillment.ts';
import type { ConditionNode } from './cryptocondition/node.ts';
import { signCcInput } from './cryptocondition/sign.ts';
import { hash160 } from './hash.ts';
import { publicKeyOf, signDer, verifyDer } from './key.ts';
import { classify } from './classified.ts';
import { parsePushes, pushData } from './script.ts';
import { SIGHASH_ALL, signatureHash } from './sighash.ts';
import type { Transaction } from './transaction.ts';

/** The output that an input spends. */
export interface Prevout {
	script: Uint8Array;
	value: Satoshi;
}

/**
 * Returns the transaction with input `index` signed.
 *
 * @param condition the crypto-condition of the output, if it is not one of the key's usual conditions
 * @param hashType what the signature covers; a crypto-condition is signed with ALL only
 * @throws {ChainError} `sign`
 */
export function signInput(
	tx: Transaction,
	index: number,
	prevout: Prevout,
	privateKey: Uint8Array,
	condition?: ConditionNode,
	hashType: number = SIGHASH_ALL
): Transaction {
	const input = tx.vin[index];
	if (!input) throw new ChainError('sign.no-input', { index });
	const pubkey = publicKeyOf(privateKey);
	const hash = signatureHash(tx, index, prevout.script, prevout.value, hashType);
	const scriptSig = inputScript(prevout.script, hash, hashType, privateKey, pubkey, condition);
	return { ...tx, vin: tx.vin.map((other, i) => (i === index ? { ...input, scriptSig } : other)) };
}

function inputScript(
	script: Uint8Array,
	hash: Uint8Array,
	hashType: number,
	privateKey: Uint8Array,
	pubkey: Uint8Array,
	condition: ConditionNode | undefined
): Uint8Array {
	const kind = classify(script);
	const signature = (): Uint8Array =>
		pushData(concat(signDer(hash, privateKey), Uint8Array.of(hashType)));
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
	throw new ChainError('sign.unknown-script', { type: kind.type });
}

const otherKey = (): ChainError => new ChainError('sign.other-key', {});

/**
 * True when the signatures of input `index` allow it to spend the output. The rules of the eval modules of a
 * crypto-condition are not checked.
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
		// With this hash type there is nothing to sign.
		if (error instanceof RangeError) return false;
		throw error;
	}
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

/**
 * What is wrong with the signatures of an input:
 * - `unsigned`: it has none
 * - `unreadable`: its script cannot be split into signatures
 * - `not-all`: a hash type is not ALL, so anyone who sees the transaction can change its outputs
 * - `not-good`: a signature does not match the transaction and the spent output
 * - `incomplete`: all signatures are valid, but more are needed
 */
type SignatureFault = 'unsigned' | 'unreadable' | 'not-all' | 'not-good' | 'incomplete';

/** Signatures of an input, each with its hash type byte, and the keys that may have made them. */
interface HeldSignatures {
	signatures: readonly Uint8Array[];
	keys: readonly Uint8Array[];
	required: number;
	/** The script that the signatures cover. */
	code: Uint8Array;
}

/** Size and first byte of a strict DER signature with its hash type byte: 9 to 73 bytes. (BIP 66.) */
const looksLikeSignature = (push: Uint8Array): boolean =>
	push.length >= 9 && push.length <= 73 && push[0] === 0x30;

/** Returns null for a script that is not satisfied by signatures alone. */
function heldSignatures(script: Uint8Array, pushes: readonly Uint8Array[]): HeldSignatures | null {
	const { type, pubkey, pubkeys, hash, required = 1 } = classify(script);
	const last = pushes.at(-1);
	if (!last) return null;
	const before = pushes.slice(0, -1);
	switch (type) {
		case 'pubkey':
			return pubkey && before.length === 0
				? { signatures: pushes, keys: [pubkey], required, code: script }
				: null;
		case 'pubkeyhash':
			return hash && before.length === 1 && bytesEqual(hash160(last), hash)
				? { signatures: before, keys: [last], required, code: script }
				: null;
		case 'multisig': {
			// CHECKMULTISIG consumes one extra push first; a missing signature is an empty push.
			const [extra, ...signatures] = pushes;
			if (!pubkeys || extra?.length !== 0) return null;
			const given = signatures.filter(({ length }) => length > 0);
			return { signatures: given, keys: pubkeys, required, code: script };
		}
		case 'scripthash': {
			const isInside = hash && bytesEqual(hash160(last), hash);
			if (!isInside || classify(last).type === 'scripthash') return null;
			return before.length === 0
				? { signatures: [], keys: [], required, code: last }
				: heldSignatures(last, before);
		}
		default:
			return null;
	}
}

/** Checks signatures whose spent output is unknown: only their hash type can be checked. */
function faultByType(pushes: readonly Uint8Array[]): SignatureFault | null {
	const signatures = pushes.filter(looksLikeSignature);
	if (signatures.length === 0) return 'unreadable';
	return signatures.some((one) => one.at(-1) !== SIGHASH_ALL) ? 'not-all' : null;
}

/**
 * Checks the signatures of input `index`; null when each is valid and covers the whole transaction.
 *
 * @param prevout the spent output; null when unknown, in which case only hash types are checked
 */
export function signatureFault(
	tx: Transaction,
	index: number,
	prevout: Prevout | null
): SignatureFault | null {
	const scriptSig = tx.vin[index]?.scriptSig;
	if (!scriptSig || scriptSig.length === 0) return 'unsigned';
	const isCondition = prevout && classify(prevout.script).type === 'cryptocondition';
	const fulfilled = prevout && !isCondition ? null : parseFulfillment(scriptSig);
	if (isCondition || fulfilled) {
		if (!fulfilled) return 'unreadable';
		if (fulfilled.hashType !== SIGHASH_ALL) return 'not-all';
		return prevout && !verifyInput(tx, index, prevout) ? 'not-good' : null;
	}
	const pushes = parsePushes(scriptSig);
	if (!pushes) return 'unreadable';
	if (!prevout) return faultByType(pushes);
	const held = heldSignatures(prevout.script, pushes);
	if (!held) return 'unreadable';
	const { signatures, keys, required, code } = held;
	if (signatures.some((one) => one.at(-1) !== SIGHASH_ALL)) return 'not-all';
	const hash = signatureHash(tx, index, code, prevout.value);
	const left = new Set(keys);
	for (const one of signatures) {
		const key = [...left].find((other) => isGood(one, hash, other));
		if (!key) return 'not-good';
		left.delete(key);
	}
	return signatures.length < required ? 'incomplete' : null;
}

const isGood = (signed: Uint8Array, hash: Uint8Array, key: Uint8Array): boolean =>
	looksLikeSignature(signed) && verifyDer(signed.slice(0, -1), hash, key);

/**
 * Returns the first input with a signature that is invalid or not of hash type ALL; null when there is none.
 *
 * @param spent the outputs that the inputs spend, in order; null for an unknown one
 * @param forgiven faults to ignore
 */
export function faultySignature(
	tx: Transaction,
	spent: readonly (Prevout | null)[],
	forgiven: readonly SignatureFault[] = []
): { input: number; fault: SignatureFault } | null {
	for (const [input] of tx.vin.entries()) {
		const fault = signatureFault(tx, input, spent[input] ?? null);
		if (fault !== null && !forgiven.includes(fault)) return { input, fault };
	}
	return null;
}
