/** Encrypts what the database keeps and must not tell by itself: AES-256-GCM under a key that stands outside of it. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { AppError } from '../errors/appError.ts';

export interface Seal {
	/** @param place what the text belongs to: it cannot be opened as anything else */
	close(text: string, place: string): string;
	/** @throws {AppError} `secret.undecryptable` where the text was changed, moved, or closed under another key */
	open(sealed: string, place: string): string;
}

/** Says which way of closing it was, so that there can be another one later. */
const PREFIX = 'sealed:1:';
/** NIST SP 800-38D recommends 96 bits for the nonce; the tag has its full 128 bits. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** @param keys 32 bytes each, of one purpose: of today first, then those before, which only open */
export function createSeal(keys: readonly [Uint8Array, ...Uint8Array[]]): Seal {
	function openWith(key: Uint8Array, whole: Buffer, place: string): string {
		const decipher = createDecipheriv('aes-256-gcm', key, whole.subarray(0, NONCE_BYTES));
		decipher.setAAD(Buffer.from(place, 'utf8'));
		decipher.setAuthTag(whole.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
		return Buffer.concat([
			decipher.update(whole.subarray(NONCE_BYTES + TAG_BYTES)),
			decipher.final()
		]).toString('utf8');
	}
	return {
		close(text, place) {
			const nonce = randomBytes(NONCE_BYTES);
			const cipher = createCipheriv('aes-256-gcm', keys[0], nonce);
			cipher.setAAD(Buffer.from(place, 'utf8'));
			const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
			const whole = Buffer.concat([nonce, cipher.getAuthTag(), body]);
			return `${PREFIX}${whole.toString('base64url')}`;
		},
		open(sealed, place) {
			const whole = Buffer.from(sealed.slice(PREFIX.length), 'base64url');
			let cause: unknown = new Error('It is not closed.');
			for (const key of sealed.startsWith(PREFIX) ? keys : []) {
				try {
					return openWith(key, whole, place);
				} catch (error) {
					cause = error;
				}
			}
			throw new AppError('secret.undecryptable', {}, { cause });
		}
	};
}
