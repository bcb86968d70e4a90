import lines from './commonPasswords.json' with { type: 'json' };

/**
 * The most used passwords in lower case, the most used first: the first 10,000 of four letters and more, and all
 * that have twelve. From `passwords.json` of @zxcvbn-ts/language-common 4.1.3, which is under the MIT license,
 * whose text stands in `commonPasswords.license.txt` beside this file.
 */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
	lines.flatMap((line) => line.split(' '))
);
