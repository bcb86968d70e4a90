import { expect, test } from 'vitest';
import { changeWords } from './changes.ts';
import { coins } from './coins.ts';
import { errorMessage } from './errors/index.ts';

test('an amount in a sentence has its ticker and no zeros at its end', () => {
	expect(coins('350010000', 'ALPHA')).toBe('3.5001 ALPHA');
	expect(coins('100000000000', 'KMD')).toBe('1\u202f000 KMD');
	const params = { amount: '350000000', asked: '300000000', chain: 'BETA' };
	expect(errorMessage('review.wrong-amount', params)).toBe(
		'3.5 BETA would arrive, but 3 BETA were asked for.'
	);
	const limit = { chain: 'ALPHA', takes: '2.00000000', most: '1.50000000' };
	expect(errorMessage('token-limit.each', limit)).toContain('at most 1.5 ALPHA with one');
});

test('a fact that was stored without its chain is still a sentence', () => {
	expect(coins('350000000', undefined)).toBe('3.5 coins');
});

test('a changed limit is in the coin of its chain, or in coins of every chain', () => {
	const limit = {
		member: null,
		kind: 'coin-send',
		before: null,
		after: { count: '3', amount: '1.00000000' }
	} as const;
	const after = (chain: string | null) =>
		changeWords('limit.set', { ...limit, chain }).lines[0]?.after;
	expect(after('ALPHA')).toBe('3 in 24 hours, 1 ALPHA in 24 hours');
	expect(after(null)).toBe('3 in 24 hours, 1 coin in 24 hours');
});
