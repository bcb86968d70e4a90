import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { COIN, daemonReads, daemonSpelling, formatCoins, parseCoins } from './amount.ts';
import type { AmountFault } from './chainError.ts';

const refused = (code: AmountFault['code'], params: object = {}): unknown =>
	expect.objectContaining({ name: 'ChainError', code, params });

const upToAMillionCoins = fc.bigInt({ min: 0n, max: 1_000_000n * COIN });

describe('amounts of people', () => {
	test.each([
		['0', 0n],
		['1', COIN],
		['1.15', 115_000_000n],
		['.5', null],
		['1.', null],
		[' 7.77 ', 777_000_000n],
		['1 234.5', 123_450_000_000n],
		['1\u202f234\u202f567.00000001', 123_456_700_000_001n],
		['12 34', null],
		['1234 567', null],
		['1 234.5 6', null],
		['0.00000001', 1n],
		['999999.99999999', 99_999_999_999_999n],
		['92233720368.54775807', 2n ** 63n - 1n]
	])('%s is read exactly or refused', (text, satoshi) => {
		if (satoshi === null) expect(() => parseCoins(text)).toThrow(refused('amount.not-a-number'));
		else expect(parseCoins(text)).toBe(satoshi);
	});

	test('the longest text is refused at once, whatever it repeats', { timeout: 5_000 }, () => {
		const most = 256 * 1024;
		for (const part of [' ', '1 ', '1', ' 111', '.1', 'a', 'a ']) {
			const text = `1${part.repeat(most / part.length)}!`;
			expect(() => parseCoins(text)).toThrow(refused('amount.not-a-number'));
		}
		expect(() => parseCoins('1 234.5  KMD')).toThrow(
			refused('amount.with-unit', { digits: '1234.5' })
		);
	});

	test.each<[string, AmountFault['code'], object?]>([
		['', 'amount.empty'],
		['  ', 'amount.empty'],
		['1,15', 'amount.with-comma'],
		['1,000.5', 'amount.with-comma'],
		['1.15 KMD', 'amount.with-unit', { digits: '1.15' }],
		['1 234.00000000\u2009KMD', 'amount.with-unit', { digits: '1234.00000000' }],
		['-1', 'amount.not-a-number'],
		['+1.5', 'amount.not-a-number'],
		['１.５', 'amount.not-a-number'],
		['1e8', 'amount.not-a-number'],
		['0x10', 'amount.not-a-number'],
		['1.123456789', 'amount.too-many-decimals', { of: 'coin', decimals: 8 }],
		['92233720368.54775808', 'amount.too-large'],
		['1'.repeat(4000), 'amount.too-large']
	])('%j is refused as %s', (text, code, params = {}) => {
		expect(() => parseCoins(text)).toThrow(refused(code, params));
	});

	test('what is formatted is read back', () => {
		fc.assert(
			fc.property(fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }), (satoshi) => {
				expect(parseCoins(formatCoins(satoshi))).toBe(satoshi);
			})
		);
	});

	test('negative amounts are written with their sign', () => {
		expect(formatCoins(-1n)).toBe('-0.00000001');
		expect(formatCoins(-115_000_000n)).toBe('-1.15000000');
	});
});

describe('amounts as the daemon reads them', () => {
	test.each([
		['1.15', 114_999_999n],
		['1.13', 112_999_999n],
		['4.35', 434_999_999n],
		['8.2', 819_999_999n],
		['2.01', 200_999_999n],
		['0.00000001', 1n],
		['1,15', COIN],
		['0x10', 16n * COIN],
		['1.150000005', 115_000_000n],
		['  1', COIN],
		['+2abc', 2n * COIN],
		['1e2', 100n * COIN],
		['', 0n],
		['abc', 0n],
		['-1', -COIN],
		['999999.99999999', 99_999_999_999_999n],
		[' 1', COIN],
		['\v2', 2n * COIN],
		['-.5', -49_999_999n],
		['1e+', COIN],
		['1e-9', 0n],
		['0x', 0n],
		['0x1.8', 150_000_000n],
		['0x.8', 50_000_000n],
		['0X1P-1', 50_000_000n],
		['0x1p', COIN],
		['-0x10', -16n * COIN],
		['9e9', 900_000_000_000_000_000n],
		['92233720368.5', 9_223_372_036_849_999_872n]
	])('%j becomes %s satoshi', (text, satoshi) => {
		expect(daemonReads(text)).toBe(satoshi);
	});

	// Expected values were computed with the C library on x86-64.
	test.each(['inf', '-inf', 'Infinity', 'nan', '1e400', '1e30', '-1e30', '92233720368.6'])(
		'%s, which no int64 holds, becomes the smallest one',
		(text) => {
			expect(daemonReads(text)).toBe(-(2n ** 63n));
		}
	);

	test('a hexadecimal exponent beyond all bounds is refused without delay', () => {
		expect(daemonReads(`0x1p${'9'.repeat(400)}`)).toBe(-(2n ** 63n));
		expect(daemonReads(`0x0p${'9'.repeat(400)}`)).toBe(0n);
		expect(daemonReads(`0x1p-${'9'.repeat(400)}`)).toBe(0n);
	});

	test('the spelling for the daemon is read back exactly', () => {
		fc.assert(
			fc.property(upToAMillionCoins, (satoshi) => {
				expect(daemonReads(daemonSpelling(satoshi))).toBe(satoshi);
			}),
			{ numRuns: 5000 }
		);
	});

	test('round amounts are spelled exactly, too', () => {
		for (let cents = 0n; cents < 20_000n; cents++) {
			const satoshi = cents * 1_000_000n;
			expect(daemonReads(daemonSpelling(satoshi))).toBe(satoshi);
		}
	});

	test('a ninth decimal is written only where it is needed', () => {
		expect(daemonSpelling(COIN)).toBe('1.00000000');
		expect(daemonSpelling(115_000_000n)).toBe('1.150000005');
	});
});
