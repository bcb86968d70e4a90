/**
 * Keys and ECDSA on secp256k1. Hashes are 32 bytes and are signed without further hashing. The curve is
 * libsecp256k1, which the daemons use too, compiled to WebAssembly: devnet and the index verify thousands of
 * signatures.
 */
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { createBase58check } from '@scure/base';
import * as curve from 'tiny-secp256k1';
import { concat, hexToBytes, isHex } from './bytes.ts';
import { sha256 } from './hash.ts';

const WIF_VERSION = 188;

const base58check = createBase58check(sha256);

/** Decodes a private key in WIF. @throws {RangeError} when it is not a compressed key of these chains */
export function privateKeyFromWif(wif: string): Uint8Array {
	const bytes = base58check.decode(wif);
	if (bytes.length !== 34 || bytes[0] !== WIF_VERSION || bytes[33] !== 1) {
		throw new RangeError('This is not a compressed private key of a Komodo chain.');
	}
	return bytes.slice(1, 33);
}

/** Encodes a private key (32 bytes) of a compressed public key as WIF. */
export function encodeWif(privateKey: Uint8Array): string {
	return base58check.encode(concat(Uint8Array.of(WIF_VERSION), privateKey, Uint8Array.of(1)));
}

/**
 * Returns the compressed public key, 33 bytes.
 *
 * @throws {RangeError} when the private key is invalid
 */
export function publicKeyOf(privateKey: Uint8Array): Uint8Array {
	const key = curve.pointFromScalar(privateKey, true);
	if (key === null) throw new RangeError('This is no private key of the curve.');
	return key;
}

/** True for 33 bytes (or their hex) that encode a point of the curve. */
export function isValidPubkey(key: Uint8Array | string): boolean {
	if (typeof key === 'string' && (key.length !== 66 || !isHex(key))) return false;
	const bytes = typeof key === 'string' ? hexToBytes(key) : key;
	return bytes.length === 33 && curve.isPoint(bytes);
}

/** Returns a DER signature with low S, without the hash type byte. */
export function signDer(hash: Uint8Array, privateKey: Uint8Array): Uint8Array {
	return secp256k1.Signature.fromBytes(signCompact(hash, privateKey), 'compact').toBytes('der');
}

/** Verifies a DER signature; false also for input that does not parse. */
export function verifyDer(signature: Uint8Array, hash: Uint8Array, pubkey: Uint8Array): boolean {
	try {
		const compact = secp256k1.Signature.fromBytes(signature, 'der').toBytes('compact');
		return verifyCompact(compact, hash, pubkey);
	} catch {
		return false;
	}
}

/** Returns a signature of 64 bytes, r then s, with low S: the format of crypto-conditions. */
export function signCompact(hash: Uint8Array, privateKey: Uint8Array): Uint8Array {
	return curve.sign(hash, privateKey);
}

/** Verifies a 64-byte signature; false also for input that does not parse and for a high S. */
export function verifyCompact(
	signature: Uint8Array,
	hash: Uint8Array,
	pubkey: Uint8Array
): boolean {
	try {
		return curve.verify(hash, pubkey, signature, true);
	} catch {
		return false;
	}
}
