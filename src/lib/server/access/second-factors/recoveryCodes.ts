/** Recovery codes, for members who have lost every other factor. */
import { randomInt } from 'node:crypto';

const RECOVERY_CODES = 10;
/** Crockford's base32, which leaves out letters that look like digits. 10 characters hold 50 bits. */
const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz';
const LENGTH = 10;

/** Returns a set of new codes, in the form in which they are shown. */
export const newRecoveryCodes = (): string[] =>
	Array.from({ length: RECOVERY_CODES }, () => {
		const letters = Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]);
		return `${letters.slice(0, LENGTH / 2).join('')}-${letters.slice(LENGTH / 2).join('')}`;
	});

/** Normalises a typed code for hashing; null for a text that cannot be one. */
export function recoveryCodeOf(typed: string): string | null {
	const letters = typed
		.toLowerCase()
		.replaceAll(/[\s-]/g, '')
		.replaceAll('o', '0')
		.replaceAll(/[il]/g, '1');
	const all = [...letters];
	return all.length === LENGTH && all.every((letter) => LETTERS.includes(letter)) ? letters : null;
}
