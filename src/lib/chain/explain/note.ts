/** What several explanations say of a part. */
import { addressOfPubkey } from '../address.ts';
import { bytesEqual, bytesToHex, displayHash } from '../bytes.ts';
import { BURN_PUBKEY, TOKENS_GLOBAL_PUBKEY } from '../cryptocondition.ts';
import { isValidPubkey } from '../key.ts';
import type { Note } from './node.ts';

/** A number as it is. */
export const number = (value: number | bigint): Note => ({ value: String(value) });

export const hex = (bytes: Uint8Array): Note => ({ value: bytesToHex(bytes) });

/** A hash as people and JSON write it. */
export const hash = (bytes: Uint8Array): Note => ({ value: displayHash(bytes) });

/** Whose key it is, as far as the bytes say. The burn key is no point of the curve. */
export function pubkeyNote(key: Uint8Array): Note {
	const value = bytesToHex(key);
	if (bytesEqual(key, BURN_PUBKEY)) return { value, meaning: { code: 'burn-key' } };
	if (bytesEqual(key, TOKENS_GLOBAL_PUBKEY)) return { value, meaning: { code: 'global-key' } };
	if (!isValidPubkey(key)) return { value, meaning: { code: 'invalid-key' } };
	return { value, meaning: { code: 'key-address', address: addressOfPubkey(key) } };
}
