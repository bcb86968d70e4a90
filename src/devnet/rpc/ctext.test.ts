import { describe, expect, test } from 'vitest';
import { atoi, atoll, isHexText, isZeroId, looseTxid } from './ctext.ts';

describe('text read as C reads it', () => {
	test.each<[string, bigint]>([
		['12', 12n],
		['  +12', 12n],
		['-7x', -7n],
		['1.9', 1n],
		['abc', 0n],
		['', 0n],
		['99999999999999999999', 9223372036854775807n]
	])('atoll %j is %s', (text, value) => expect(atoll(text)).toBe(value));

	test('atoi keeps the low 32 bits', () => expect(atoi('4294967297')).toBe(1));
});

describe('ids in token and migration methods', () => {
	test('only 64 hex digits are an id, everything else is zero', () => {
		expect(looseTxid('AB'.repeat(32))).toBe('ab'.repeat(32));
		for (const text of ['', 'zz', 'ab'.repeat(31), 'zz'.repeat(32)]) {
			expect(isZeroId(looseTxid(text))).toBe(true);
		}
	});

	test('hex is pairs of digits', () => {
		expect(isHexText('00ff')).toBe(true);
		for (const text of ['', 'abc', 'zz']) expect(isHexText(text)).toBe(false);
	});
});
