import { describe, expect, it } from 'vitest';
import { roughSize } from './roughSize.ts';

const ALL = Number.MAX_SAFE_INTEGER;
const TEXT = 'x'.repeat(10_000);

describe('roughSize', () => {
	it.each([
		['a text', TEXT],
		['a list', [1n, TEXT]],
		['an object', { a: null, b: TEXT }],
		['the name of a member', { [TEXT]: 1 }],
		['a map', new Map([['a', TEXT]])],
		['the key of a map', new Map([[TEXT, 'a']])],
		['a set', new Set([TEXT])],
		['bytes', new Uint8Array(TEXT.length)],
		['parts of parts', [{ a: [new Map([['b', { c: TEXT }]])] }]]
	])('counts %s with what it contains', (_what, value) => {
		expect(roughSize(value, ALL)).toBeGreaterThan(TEXT.length);
		expect(roughSize(value, ALL)).toBeLessThan(TEXT.length + 500);
	});

	it('counts many small values by their number', () => {
		const lines = Array.from({ length: 1_000 }, (_, n) => ({ n, value: BigInt(n), kind: null }));
		expect(roughSize(lines, ALL)).toBeGreaterThan(1_000 * 3 * 16);
	});

	it('counts something for a value without parts', () => {
		for (const value of [null, undefined, 0, 0n, false, '']) {
			expect(roughSize(value, ALL)).toBeGreaterThan(0);
		}
	});

	it('stops above the most that matters, also in a value that contains itself', () => {
		const endless: unknown[] = [];
		endless.push(endless);
		expect(roughSize(endless, 1_000)).toBeGreaterThan(1_000);
		expect(roughSize(endless, 1_000)).toBeLessThan(2_000);
	});

	it('counts a value that is nested deeper than the stack reaches', () => {
		let nested: unknown = null;
		for (let depth = 0; depth < 100_000; depth++) nested = [nested];
		expect(roughSize(nested, ALL)).toBeGreaterThan(100_000);
	});
});
