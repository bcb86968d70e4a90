import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AmountFault } from './chainError.ts';
import { formatUnits, parseUnits, typedUnits } from './tokenUnits.ts';

const MOST = 2n ** 63n - 1n;

test('what is formatted reads back as the same units', () => {
	fc.assert(
		fc.property(
			fc.bigInt({ min: 1n, max: MOST }),
			fc.integer({ min: 0, max: 18 }),
			(units, decimals) => {
				expect(parseUnits(formatUnits(units, decimals), decimals)).toEqual({ ok: true, units });
			}
		)
	);
});

test('any text is read as units or refused with a code', () => {
	fc.assert(
		fc.property(fc.string(), fc.integer({ min: 0, max: 18 }), (text, decimals) => {
			const read = parseUnits(text, decimals);
			if (read.ok) expect(read.units > 0n && read.units <= MOST).toBe(true);
			else expect(read.fault.code).toMatch(/^amount\./);
		})
	);
});

test.each<[string, number, bigint]>([
	['250', 0, 250n],
	[' 250 ', 0, 250n],
	['007', 0, 7n],
	['1 000', 0, 1000n],
	['115\u202f000\u202f000', 0, 115_000_000n],
	['12.34', 2, 1234n],
	['12.3', 2, 1230n],
	['12', 2, 1200n],
	['0.01', 2, 1n],
	['9223372036854775807', 0, MOST],
	['9.223372036854775807', 18, MOST]
])('%s with %i decimals is %s units', (text, decimals, units) => {
	expect(parseUnits(text, decimals)).toEqual({ ok: true, units });
});

test.each<[string, number, AmountFault['code'], object?]>([
	['', 0, 'amount.empty'],
	['  ', 0, 'amount.empty'],
	['0', 0, 'amount.zero'],
	['0.00', 2, 'amount.zero'],
	['-1', 0, 'amount.not-whole'],
	['+1', 0, 'amount.not-whole'],
	['1e3', 0, 'amount.not-whole'],
	['0x10', 0, 'amount.not-whole'],
	['1,5', 2, 'amount.with-comma'],
	['1,000', 0, 'amount.not-whole'],
	['1 00', 0, 'amount.not-whole'],
	['1 0000', 0, 'amount.not-whole'],
	['250 units', 0, 'amount.with-unit', { digits: '250' }],
	['115 000 000\u2009units', 0, 'amount.with-unit', { digits: '115000000' }],
	['２５', 0, 'amount.not-whole'],
	['.5', 2, 'amount.not-a-number'],
	['1.', 2, 'amount.not-a-number'],
	['١', 0, 'amount.not-whole'],
	['1.9', 0, 'amount.too-many-decimals', { of: 'token', decimals: 0 }],
	['1.234', 2, 'amount.too-many-decimals', { of: 'token', decimals: 2 }],
	['9223372036854775808', 0, 'amount.too-large'],
	['9223372036854775807', 1, 'amount.too-large'],
	['1'.repeat(21), 0, 'amount.too-large'],
	['1'.repeat(41), 0, 'amount.too-large']
])('%j with %i decimals is refused as %s', (text, decimals, code, params = {}) => {
	expect(parseUnits(text, decimals)).toEqual({ ok: false, fault: { code, params } });
});

test.each<[bigint, number, string]>([
	[1234n, 0, '1234'],
	[1234n, 2, '12.34'],
	[4n, 2, '0.04'],
	[0n, 2, '0.00'],
	[1n, 18, '0.000000000000000001']
])('%s units with %i decimals are written as %s', (units, decimals, text) => {
	expect(formatUnits(units, decimals)).toBe(text);
});

test('wholes are read as units while they are typed', () => {
	expect(typedUnits('12.5', 2)).toBe(1250n);
	expect(typedUnits('12.', 2)).toBe(1200n);
	expect(typedUnits(' 7 ', 0)).toBe(7n);
});

test('what is no amount has no units', () => {
	for (const text of ['', '-1', '1,5', '1e3', '0x10', '0', '0.00', '.5', 'a'])
		expect(typedUnits(text, 2)).toBeNull();
	expect(typedUnits('1.234', 2)).toBeNull();
	expect(typedUnits('1.5', 0)).toBeNull();
});
