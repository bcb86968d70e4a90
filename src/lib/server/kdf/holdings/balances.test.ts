import { expect, test } from 'vitest';
import { factsOf, sideOf, sumOf } from './balances.ts';

test('amounts of a wallet are added without losing a digit', () => {
	expect(sumOf([])).toBe('0');
	expect(sumOf(['7.62', '0.38'])).toBe('8');
	expect(sumOf(['0.000000000000000001', '12345678901234567890'])).toBe(
		'12345678901234567890.000000000000000001'
	);
	expect(sumOf(['1.5', '-2'])).toBe('-0.5');
	expect(sumOf(['', '3'])).toBe('3');
});

test('what a build does not tell of a coin is not taken for nothing', () => {
	const told = { address: 'LRp3iqonUnMkXnCuX64dpk5mmVnsGgtmAC', balance: '7.62' };
	const [older] = factsOf('LTC', { ...told, locked_by_swaps: '0' }).lines;
	expect(older).toMatchObject({ spendable: '7.62', unspendable: '' });
	const [newer] = factsOf('LTC', { ...told, coin: 'LTC', unspendable_balance: '0' }).lines;
	expect(newer).toMatchObject({ spendable: '7.62', unspendable: '0' });
});

test('an address for change is told by its path', () => {
	expect(sideOf("m/44'/141'/0'/1/3")).toBe('Internal');
	expect(sideOf("m/44'/141'/0'/0/1")).toBe('External');
	expect(sideOf(null)).toBeNull();
	expect(sideOf('')).toBeNull();
});
