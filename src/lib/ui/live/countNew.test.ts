import { expect, it } from 'vitest';
import { countNew } from './countNew.ts';

const list = (ids: string): { txid: string }[] => [...ids].map((txid) => ({ txid }));

it('counts the transactions of a list that its reader has not seen, wherever they stand', () => {
	expect(countNew(list('ba'), list('ba'))).toBe(0);
	expect(countNew(list('ba'), list('dcb'))).toBe(2);
	expect(countNew(list('ba'), list('xyz'))).toBe(3);
	expect(countNew([], list('a'))).toBe(1);
});
