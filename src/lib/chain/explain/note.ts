/** Descriptions that several explanations share. */
import { addressOfPubkey } from '../address.ts';
import { bytesEqual, bytesToHex, displayHash } from '../bytes.ts';
import { BURN_PUBKEY, TOKENS_GLOBAL_PUBKEY } from '../cryptocondition.ts';
import { isValidPubkey } from '../key.ts';
import type { Note } from './node.ts';

/** Shows a number in decimal. */
export const number = (value: number | bigint): Note => ({ value: String(value) });

/** Shows bytes as hex digits in their own order. */
export const hex = (bytes: Uint8Array): Note => ({ value: bytesToHex(bytes) });

/** Shows a hash in display order. */
export const hash = (bytes: Uint8Array): Note => ({ value: displayHash(bytes) });

/**
 * Describes a public key: one of the well-known keys, invalid, or its address. The burn key is not a point of
 * the curve, so it is checked first.
 */
export function pubkeyNote(key: Uint8Array): Note {
	const value = bytesToHex(key);
	if (bytesEqual(key, BURN_PUBKEY)) return { value, meaning: { code: 'burn-key' } };
	if (bytesEqual(key, TOKENS_GLOBAL_PUBKEY)) return { value, meaning: { code: 'global-key' } };
	if (!isValidPubkey(key)) return { value, meaning: { code: 'invalid-key' } };
	return { value, meaning: { code: 'key-address', address: addressOfPubkey(key) } };
}
