import { expect, test } from 'vitest';
import { typedUnits } from './typedUnits.ts';

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
