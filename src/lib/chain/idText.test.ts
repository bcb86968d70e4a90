import { expect, it } from 'vitest';
import { isHash, isPubkeyText } from './idText.ts';

const HASH = 'ab'.repeat(32);

it('takes 64 hex digits in lower case as a hash', () => {
	expect(isHash(HASH)).toBe(true);
	for (const text of ['', HASH.slice(1), `${HASH}0`, HASH.toUpperCase(), `0x${HASH}`, ` ${HASH}`]) {
		expect(isHash(text)).toBe(false);
	}
});

it('takes 02 or 03 and 64 hex digits in lower case as a public key', () => {
	expect(isPubkeyText(`02${HASH}`)).toBe(true);
	expect(isPubkeyText(`03${HASH}`)).toBe(true);
	for (const text of [`04${HASH}`, HASH, `02${HASH}00`, `02${HASH.toUpperCase()}`]) {
		expect(isPubkeyText(text)).toBe(false);
	}
});
