/**
 * Addresses. All Komodo chains share these version bytes: an address is valid on every chain and says
 * nothing about the chain.
 */
import { createBase58check } from '@scure/base';
import { concat, hexToBytes } from './bytes.ts';
import { ChainError } from './chainError.ts';
import { hash160, sha256 } from './hash.ts';

/** P2PKH, and crypto-condition addresses, which look the same. */
export const ADDRESS_VERSION = 60;
export const SCRIPT_ADDRESS_VERSION = 85;

const base58check = createBase58check(sha256);

interface Address {
	kind: 'p2pkh' | 'p2sh';
	/** 20 bytes. */
	hash: Uint8Array;
}

/**
 * @param hash 20 bytes
 * @param before a byte before the version, on chains whose addresses have two; 0 for none
 */
export function encodeAddress(
	hash: Uint8Array,
	version: number = ADDRESS_VERSION,
	before = 0
): string {
	const bytes = before === 0 ? [version] : [before, version];
	return base58check.encode(concat(Uint8Array.from(bytes), hash));
}

/** @throws {ChainError} `address` */
export function decodeAddress(text: string): Address {
	let bytes: Uint8Array;
	try {
		if (text.length > 100) throw new RangeError('too long');
		bytes = base58check.decode(text);
	} catch (cause) {
		throw new ChainError('address.not-base58', {}, cause);
	}
	if (bytes.length !== 21) {
		throw new ChainError('address.wrong-length', {});
	}
	const version = bytes[0];
	if (version === ADDRESS_VERSION) return { kind: 'p2pkh', hash: bytes.slice(1) };
	if (version === SCRIPT_ADDRESS_VERSION) return { kind: 'p2sh', hash: bytes.slice(1) };
	throw new ChainError('address.wrong-network', {});
}

export function isValidAddress(text: string): boolean {
	try {
		decodeAddress(text);
		return true;
	} catch {
		return false;
	}
}

/** The P2PKH address of a key, given as bytes or hex. */
export function addressOfPubkey(pubkey: Uint8Array | string): string {
	return encodeAddress(hash160(typeof pubkey === 'string' ? hexToBytes(pubkey) : pubkey));
}
