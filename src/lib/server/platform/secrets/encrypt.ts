/** Encrypts secrets in the database with AES-256-GCM, under a key that is stored outside of it. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { AppError } from '../errors/appError.ts';

export interface Cipher {
	/**
	 * @param place where the text belongs; it cannot be decrypted under another place (additional authenticated
	 * data)
	 */
	encrypt(text: string, place: string): string;
	/**
	 * @throws {AppError} `secret.undecryptable` when the text was changed, moved, or encrypted under another
	 * key
	 */
	decrypt(sealed: string, place: string): string;
}

/** Version prefix of the format, to allow another one later. */
const PREFIX = 'sealed:1:';
/** NIST SP 800-38D recommends 96 bits for the nonce; the tag has its full 128 bits. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * @param keys 32 bytes each, derived for one purpose: the current key first, then previous ones, which only
 * decrypt
 */
export function createCipher(keys: readonly [Uint8Array, ...Uint8Array[]]): Cipher {
	function decryptWith(key: Uint8Array, whole: Buffer, place: string): string {
		const decipher = createDecipheriv('aes-256-gcm', key, whole.subarray(0, NONCE_BYTES));
		decipher.setAAD(Buffer.from(place, 'utf8'));
		decipher.setAuthTag(whole.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
		return Buffer.concat([
			decipher.update(whole.subarray(NONCE_BYTES + TAG_BYTES)),
			decipher.final()
		]).toString('utf8');
	}
	return {
		encrypt(text, place) {
			const nonce = randomBytes(NONCE_BYTES);
			const aes = createCipheriv('aes-256-gcm', keys[0], nonce);
			aes.setAAD(Buffer.from(place, 'utf8'));
			const body = Buffer.concat([aes.update(text, 'utf8'), aes.final()]);
			const whole = Buffer.concat([nonce, aes.getAuthTag(), body]);
			return `${PREFIX}${whole.toString('base64url')}`;
		},
		decrypt(encrypted, place) {
			const whole = Buffer.from(encrypted.slice(PREFIX.length), 'base64url');
			let cause: unknown = new Error('It is not encrypted.');
			for (const key of encrypted.startsWith(PREFIX) ? keys : []) {
				try {
					return decryptWith(key, whole, place);
				} catch (error) {
					cause = error;
				}
			}
			throw new AppError('secret.undecryptable', {}, { cause });
		}
	};
}
