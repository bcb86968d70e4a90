/**
 * Base58Check addresses. All Komodo chains use the same version bytes, so an address is valid on every chain
 * and does not tell which chain it is for.
 */
import { keccak_256 } from '@noble/hashes/sha3.js';
import { base58, createBase58check } from '@scure/base';
import { bytesEqual, concat, hexToBytes } from './bytes.ts';
import { ChainError } from './chainError.ts';
import { groestl512 } from './groestl.ts';
import { hash160, hash256, sha256 } from './hash.ts';

/** Version byte of P2PKH addresses. Crypto-condition addresses use it too and cannot be told apart by it. */
export const ADDRESS_VERSION = 60;
export const SCRIPT_ADDRESS_VERSION = 85;

const base58check = createBase58check(sha256);

interface Address {
	kind: 'p2pkh' | 'p2sh';
	/** 20 bytes. */
	hash: Uint8Array;
}

/** Hash functions whose first four bytes form the checksum. Nearly all coins use Bitcoin's double SHA-256. */
const CHECKS = {
	bitcoin: hash256,
	groestl: (bytes: Uint8Array) => groestl512(groestl512(bytes)),
	keccak: (bytes: Uint8Array) => keccak_256(bytes)
} as const;
export type AddressCheck = keyof typeof CHECKS;

const checkSum = (payload: Uint8Array, check: AddressCheck): Uint8Array =>
	CHECKS[check](payload).slice(0, 4);

/**
 * Encodes a hash as a Base58Check address.
 * @param hash 20 bytes
 * @param before first version byte of chains whose addresses have two; 0 for chains with one
 */
export function encodeAddress(
	hash: Uint8Array,
	version: number = ADDRESS_VERSION,
	before = 0,
	check: AddressCheck = 'bitcoin'
): string {
	const bytes = before === 0 ? [version] : [before, version];
	const payload = concat(Uint8Array.from(bytes), hash);
	return base58.encode(concat(payload, checkSum(payload, check)));
}

/** Decodes an address of any coin to its version byte(s) and hash; null when the checksum does not match. */
export function addressPayload(text: string, check: AddressCheck): Uint8Array | null {
	let bytes: Uint8Array;
	try {
		bytes = base58.decode(text);
	} catch {
		return null;
	}
	const [payload, sum] = [bytes.slice(0, -4), bytes.slice(-4)];
	return bytesEqual(checkSum(payload, check), sum) ? payload : null;
}

/** Decodes a P2PKH or P2SH address of a Komodo chain. @throws {ChainError} `address` */
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

/** Whether a text is an address of a Komodo chain: a known version and a correct checksum. */
export function isValidAddress(text: string): boolean {
	try {
		decodeAddress(text);
		return true;
	} catch {
		return false;
	}
}

/** Whether a text is a P2SH address of a Komodo chain. */
export const isScriptAddress = (text: string): boolean =>
	isValidAddress(text) && decodeAddress(text).kind === 'p2sh';

/** Returns the P2PKH address of a public key, given as bytes or hex. */
export function addressOfPubkey(pubkey: Uint8Array | string): string {
	return encodeAddress(hash160(typeof pubkey === 'string' ? hexToBytes(pubkey) : pubkey));
}
