import { describe, expect, it } from 'vitest';
import { percent, percentText } from './share.ts';

describe('a share', () => {
	it('is in percent with two decimals, rounded to the nearest', () => {
		expect(percent(1n, 8n)).toBe('12.50');
		expect(percent(2n, 3n)).toBe('66.67');
		expect(percent(985_000n, 985_000n)).toBe('100.00');
		expect(percent(2n ** 62n, 2n ** 63n)).toBe('50.00');
	});
	it('of nothing is none', () => {
		expect(percent(0n, 0n)).toBeNull();
		expect(percentText(0n, 0n)).toBe('');
	});
	it('that rounds to nothing is said to be small', () => {
		expect(percentText(1n, 1_000_000n)).toBe('< 0.01 %');
		expect(percentText(0n, 5n)).toBe('0.00 %');
	});
});
