import { expect, test } from 'vitest';
import { isInternal, sumOf } from './balances.ts';

test('amounts of a wallet are added without losing a digit', () => {
	expect(sumOf([])).toBe('0');
	expect(sumOf(['7.62', '0.38'])).toBe('8');
	expect(sumOf(['0.000000000000000001', '12345678901234567890'])).toBe(
		'12345678901234567890.000000000000000001'
	);
	expect(sumOf(['1.5', '-2'])).toBe('-0.5');
	expect(sumOf(['', '3'])).toBe('3');
});

test('an address for change is told by its path', () => {
	expect(isInternal("m/44'/141'/0'/1/3")).toBe(true);
	expect(isInternal("m/44'/141'/0'/0/1")).toBe(false);
	expect(isInternal(null)).toBe(false);
});
