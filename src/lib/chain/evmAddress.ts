/** EVM addresses with the checksum of EIP-55, which is encoded in the case of the letters. */
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex } from './bytes.ts';

/** Applies the EIP-55 case to an address. @param address `0x` and 40 hex digits in any case */
export function checksummed(address: string): string {
	const digits = address.slice(2).toLowerCase();
	const hash = bytesToHex(keccak_256(new TextEncoder().encode(digits)));
	const cased = [...digits].map((digit, at) =>
		Number.parseInt(hash[at]!, 16) >= 8 ? digit.toUpperCase() : digit
	);
	return `0x${cased.join('')}`;
}

/** Returns the EIP-55 address of a public key, compressed or not. */
export function evmAddressOf(pubkey: Uint8Array): string {
	const plain = secp256k1.Point.fromBytes(pubkey).toBytes(false).slice(1);
	return checksummed(`0x${bytesToHex(keccak_256(plain).slice(12))}`);
}

/** True for `0x` and 40 hex digits in any case. */
export const isEvmAddress = (text: string): boolean => /^0x[0-9a-fA-F]{40}$/.test(text);

/** True when the letters also have the case that EIP-55 requires. */
export const isChecksummed = (text: string): boolean =>
	isEvmAddress(text) && checksummed(text) === text;
