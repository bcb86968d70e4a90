/** Hash functions of the chains. Inputs and results are in internal byte order. */
import { blake2b } from '@noble/hashes/blake2.js';
import { ripemd160 } from '@noble/hashes/legacy.js';
import { sha256 as nobleSha256 } from '@noble/hashes/sha2.js';

export function sha256(data: Uint8Array): Uint8Array {
	return nobleSha256(data);
}

/** SHA-256 applied twice: txids, block hashes, merkle nodes, payouts. */
export function hash256(data: Uint8Array): Uint8Array {
	return nobleSha256(nobleSha256(data));
}

/** RIPEMD-160 of SHA-256: addresses. */
export function hash160(data: Uint8Array): Uint8Array {
	return ripemd160(nobleSha256(data));
}

/** BLAKE2b-256 with 16 bytes of personalization: signature hashes since Overwinter (ZIP 143). */
export function blake2b256(personalization: Uint8Array, data: Uint8Array): Uint8Array {
	return blake2b(data, { dkLen: 32, personalization });
}
