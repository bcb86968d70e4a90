import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AT_REST, createRounds } from './rounds.ts';
import { Runner } from './runner.ts';

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
	// A repeated error is reported at the first, second, fourth and eighth failure.
	expect(errors).toHaveLength(4);
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

test('a round that found nothing to move passes until something is written, and while that cannot be said never', async () => {
	let stamp: number | null = 1;
	let [asked, found]: [number, unknown] = [0, AT_REST];
	const rounds = createRounds(
		{
			one: {
				everyMs: 1_000,
				run: () => {
					asked += 1;
					return Promise.resolve(found);
				}
			}
		},
		{ news: () => stamp, timeoutMs: 100 }
	);
	const askedIn = async (seconds: number): Promise<number> => {
		const before = asked;
		await vi.advanceTimersByTimeAsync(seconds * 1_000);
		return asked - before;
	};
	rounds.start();
	expect(await askedIn(9.5)).toBe(1);
	// The notification of a write may be lost, so the round runs again after a while.
	expect(await askedIn(20)).toBe(2);
	stamp = 2;
	expect(await askedIn(1)).toBe(1);
	expect(await askedIn(5)).toBe(0);
	stamp = null;
	expect(await askedIn(5)).toBe(5);
	[stamp, found] = [3, undefined];
	expect(await askedIn(5)).toBe(5);
	const stopped = rounds.stop();
	await vi.advanceTimersByTimeAsync(1_000);
	await stopped;
});

test('what is due is not asked for again and again while nothing is written, and is taken at its time', async () => {
	let stamp: number | null = 1;
	let dueAt: number | null = null;
	let [asked, moved] = [0, 0];
	const lease = { id: 'one', fencingToken: 0n };
	const runner = new Runner({
		maxConcurrency: 1,
		news: () => stamp,
		leases: {
			take: async () => lease,
			async takeDue() {
				asked += 1;
				if (dueAt === null || dueAt > Date.now()) return null;
				[dueAt, stamp] = [null, 100];
				return lease;
			},
			async untilDue() {
				asked += 1;
				return dueAt === null ? null : dueAt - Date.now();
			},
			renew: async () => true,
			release: async () => undefined,
			rest: async () => undefined
		},
		step: async () => void (moved += 1)
	});
	runner.start();
	await vi.advanceTimersByTimeAsync(9_000);
	expect(asked).toBe(2);
	// Another server writes a row that is due in eight seconds.
	[dueAt, stamp] = [Date.now() + 8_000, 2];
	await vi.advanceTimersByTimeAsync(7_500);
	expect([asked, moved]).toEqual([3, 0]);
	await vi.advanceTimersByTimeAsync(600);
	expect(moved).toBe(1);
	[dueAt, stamp] = [Date.now(), 3];
	await vi.advanceTimersByTimeAsync(1_100);
	expect(moved).toBe(2);
	const stopped = runner.stop();
	await vi.advanceTimersByTimeAsync(1_000);
	await stopped;
});

test('a database that cannot be asked what is due is told of ever more seldom, and again once it was asked', async () => {
	let why: string | null = 'full';
	const told: string[] = [];
	const ask = async (): Promise<null> => {
		if (why !== null) throw new Error(why);
		return null;
	};
	const nothing = async (): Promise<void> => undefined;
	const runner = new Runner({
		maxConcurrency: 1,
		leases: {
			take: ask,
			takeDue: ask,
			untilDue: ask,
			renew: async () => true,
			release: nothing,
			rest: nothing
		},
		step: nothing,
		onError: (error) => told.push((error as Error).message)
	});
	runner.start();
	await vi.advanceTimersByTimeAsync(3_600_000);
	expect(told.splice(0)).toHaveLength(12);
	why = 'gone';
	await vi.advanceTimersByTimeAsync(1_100);
	expect(told.splice(0)).toEqual(['gone']);
	why = null;
	await vi.advanceTimersByTimeAsync(2_000);
	why = 'gone';
	await vi.advanceTimersByTimeAsync(3_000);
	expect(told).toEqual(['gone', 'gone']);
	const stopped = runner.stop();
	await vi.advanceTimersByTimeAsync(1_000);
	await stopped;
});
