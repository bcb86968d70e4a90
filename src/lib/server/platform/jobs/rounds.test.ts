import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createRounds } from './rounds.ts';

beforeEach(() => {
	vi.useFakeTimers();
});
afterEach(() => {
	vi.useRealTimers();
});

test('each round comes again after its time, whether one failed or hangs', async () => {
	const begun: Record<string, number> = { quick: 0, bad: 0, hangs: 0 };
	const errors: unknown[] = [];
	const rounds = createRounds(
		{
			quick: { everyMs: 3_000, run: async () => (begun['quick']! += 1) },
			bad: {
				everyMs: 3_000,
				run: () => {
					begun['bad']! += 1;
					return Promise.reject(new Error('It does not work.'));
				}
			},
			hangs: {
				everyMs: 10_000,
				run: () => {
					begun['hangs']! += 1;
					return new Promise(() => undefined);
				}
			}
		},
		{ onError: (error) => errors.push(error), timeoutMs: 100 }
	);
	rounds.start();
	await vi.advanceTimersByTimeAsync(2_900);
	expect(begun).toEqual({ quick: 0, bad: 0, hangs: 0 });
	await vi.advanceTimersByTimeAsync(28_000);
	expect(begun).toEqual({ quick: 10, bad: 10, hangs: 2 });
	expect(errors).toHaveLength(10);
	const stopped = rounds.stop();
	await vi.advanceTimersByTimeAsync(20_000);
	await stopped;
	expect(begun['quick']).toBe(10);
});

test('rounds that do not end wait longer for each other, until one ends', async () => {
	const ends: (() => void)[] = [];
	const rounds = createRounds(
		{ slow: { everyMs: 1_000, run: () => new Promise<void>((end) => ends.push(end)) } },
		{ timeoutMs: 100 }
	);
	rounds.start();
	await vi.advanceTimersByTimeAsync(3_600_000);
	expect(ends).toHaveLength(12);
	for (const end of ends) end();
	await vi.advanceTimersByTimeAsync(1_900);
	expect(ends).toHaveLength(13);
	const stopped = rounds.stop();
	await vi.advanceTimersByTimeAsync(1_000);
	await stopped;
});
