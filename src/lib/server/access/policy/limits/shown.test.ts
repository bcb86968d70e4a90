import { expect, test } from 'vitest';
import { limitSentences } from './shown.ts';

test('spending limits read as sentences: of single members first, then of each other one', () => {
	const kind = 'coin-send' as const;
	expect(
		limitSentences(
			[
				{ account: '*', chain: '*', kind, most: { count: 3n, amount: null } },
				{ account: '*', chain: 'ALPHA', kind, most: { count: null, amount: 1_050_000_000n } },
				{ account: 'a1', chain: '*', kind, most: { count: 1n, amount: 100_000_000n } },
				{ account: '*', chain: '*', kind: 'sign', most: { count: 2n, amount: null } }
			],
			() => 'ada'
		)
	).toEqual([
		'ada: at most 1 and 1 coin within 24 hours for payments and other transactions on every chain.',
		'Each member: at most 2 within 24 hours for signatures on every chain.',
		'Each other member: at most 10.5 ALPHA within 24 hours for payments and other transactions on ALPHA.',
		'Each other member: at most 3 within 24 hours for payments and other transactions on every other chain.'
	]);
});
