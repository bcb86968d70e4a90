import lines from './commonPasswords.json' with { type: 'json' };

/**
 * The most used passwords in lower case, ordered by frequency: the first 10,000 of at least four letters, and
 * all of at least twelve. From `passwords.json` of @zxcvbn-ts/language-common 4.1.3 (MIT license, see
 * `commonPasswords.license.txt`).
 */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
	lines.flatMap((line) => line.split(' '))
);
