import { describe, expect, it } from 'vitest';
import {
	age,
	amountParts,
	amountText,
	count,
	hueClass,
	jsonText,
	plural,
	utc,
	utcClock,
	utf8Length
} from './format.ts';

describe('amounts', () => {
	it('split the whole part in threes and keep every decimal', () => {
		expect(amountParts(20000000000000001n)).toEqual({
			sign: '',
			groups: ['200', '000', '000'],
			fraction: '00000001'
		});
	});

	it('show one satoshi as a whole coin part of zero', () => {
		expect(amountText(1n)).toBe('0.00000001');
	});

	it('show bare token units without a point', () => {
		expect(amountParts(1234n, 0)).toEqual({ sign: '', groups: ['1', '234'], fraction: '' });
		expect(amountText(1234n, 0)).toBe('1234');
	});

	it('use the display decimals of a token', () => {
		expect(amountText(12345n, 2)).toBe('123.45');
		expect(amountText(5n, 2)).toBe('0.05');
	});

	it('keep the sign of a negative amount', () => {
		expect(amountText(-115000000n)).toBe('-1.15000000');
	});
});

describe('counts', () => {
	it('are grouped with a narrow space', () => {
		expect(count(1234567)).toBe('1\u202f234\u202f567');
		expect(count(999)).toBe('999');
	});

	it('agree with their noun', () => {
		expect(plural(1, 'token')).toBe('1 token');
		expect(plural(0n, 'token')).toBe('0 tokens');
		expect(plural(2, 'address', 'addresses')).toBe('2 addresses');
	});
});

describe('times', () => {
	const at = Date.UTC(2026, 10, 21, 5, 24, 7);

	it('are written in UTC', () => {
		expect(utc(at)).toBe('2026-11-21 05:24:07 UTC');
		expect(utcClock(at)).toBe('05:24 UTC');
	});

	it('have an age in the largest unit', () => {
		expect(age(at, at + 2_000)).toBe('just now');
		expect(age(at, at + 59_000)).toBe('59 seconds ago');
		expect(age(at, at + 61_000)).toBe('1 minute ago');
		expect(age(at, at + 3 * 86_400_000)).toBe('3 days ago');
		expect(age(at, at - 7_200_000)).toBe('in 2 hours');
	});
});

describe('the hue of a chain', () => {
	it('is the same every time and one of the palette', () => {
		for (const name of ['KMD', 'ALPHA', 'BETA', 'A', '']) {
			expect(hueClass(name)).toMatch(/^hue-(\d|1[01])$/);
			expect(hueClass(name)).toBe(hueClass(name));
		}
	});

	it('differs between the chains of the development network', () => {
		const hues = ['KMD', 'ALPHA', 'BETA', 'GAMMA', 'SELF'].map(hueClass);
		expect(new Set(hues).size).toBe(hues.length);
	});
});

describe('raw JSON', () => {
	it('writes a bigint as the whole number it is', () => {
		expect(jsonText({ value: 9007199254740993n })).toBe('{\n  "value": 9007199254740993\n}');
	});

	it('leaves text that looks like a number alone', () => {
		expect(jsonText(['12', null])).toBe('[\n  "12",\n  null\n]');
	});
});

it('counts bytes as the chain does', () => {
	expect(utf8Length('Zoë')).toBe(4);
});
