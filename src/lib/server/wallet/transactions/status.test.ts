import { expect, test } from 'vitest';
import { statusOf } from './status.ts';

test('a review that was left alone is too old when its time is over', () => {
	expect(statusOf({ state: 'reviewed', expiresAt: 1_000 }, 999)).toBe('reviewed');
	expect(statusOf({ state: 'reviewed', expiresAt: 1_000 }, 1_000)).toBe('discarded');
});

test('what follows a transaction that awaits approval waits for the same', () => {
	const second = { state: 'reviewed', expiresAt: 1_000 } as const;
	expect(statusOf(second, 2_000, { state: 'needs-approval', finalAt: null })).toBe(
		'needs-approval'
	);
	expect(statusOf(second, 2_000, { state: 'broadcast', finalAt: null })).toBe('next');
});

test('what follows a refused transaction waits for it until nothing can come of that one', () => {
	const second = { state: 'reviewed', expiresAt: 1_000 } as const;
	expect(statusOf(second, 2_000, { state: 'rejected', finalAt: null })).toBe('next');
	expect(statusOf(second, 2_000, { state: 'rejected', finalAt: 1_500 })).toBe('discarded');
});

test('what was sent does not grow too old', () => {
	for (const state of ['broadcasting', 'unknown', 'broadcast', 'confirmed', 'rejected'] as const)
		expect(statusOf({ state, expiresAt: 1_000 }, 2_000)).toBe(state);
});
