import { expect, test } from 'vitest';
import { COIN } from './amount.ts';
import { accruedInterest, claimedInterest, type AgingOutput } from './interest.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;
const LOCKED = 1_556_623_906;
const output = (more: Partial<AgingOutput> = {}): AgingOutput => ({
	value: 64_605_500_822n,
	height: 1_000_001,
	locktime: LOCKED,
	...more
});

test('an hour and five minutes after its lock time an output has the interest that the daemon gives it', () => {
	// Test vector from the Komodo trading node.
	expect(accruedInterest(output(), LOCKED + HOUR + 300)).toBe(36_870n);
});

test('interest begins after an hour, with one minute', () => {
	expect(accruedInterest(output(), LOCKED + HOUR - 1)).toBe(0n);
	expect(accruedInterest(output(), LOCKED + HOUR)).toBe(6_145n);
	expect(accruedInterest(output(), LOCKED - 1)).toBe(0n);
});

test('interest ends after a month, and for old outputs after a year', () => {
	const month = 6_145n * BigInt(31 * 24 * 60 - 59);
	expect(accruedInterest(output(), LOCKED + 31 * DAY)).toBe(month);
	expect(accruedInterest(output(), LOCKED + 400 * DAY)).toBe(month);
	const year = (64_605_500_822n / 20n) * BigInt(365 * 24 * 60 - 59);
	for (const days of [365, 400, 3000]) {
		const old = output({ height: 999_999 });
		expect(accruedInterest(old, LOCKED + days * DAY)).toBe(year / 525_600n);
	}
});

test.each([
	// All minutes except the first 59, at 5 % a year.
	[999_999, 24, 690_500_000n],
	[250_000, 240, 7_170_500_000n],
	// How many times the elapsed time fits into a year: 8760, 36, 1.
	[249_999, 1, 30_000_000n],
	[249_999, 240, 7_300_000_000n],
	[249_999, 4_800, 262_800_000_000n],
	[1, 20_000, 262_800_000_000n]
])('an output of height %i has after %i hours what its era gives', (height, hours, interest) => {
	const old = output({ height, value: 5_256_000_000_000n });
	expect(accruedInterest(old, LOCKED + hours * HOUR)).toBe(interest);
});

test('since season 7 the rate is 0.01 % a year', () => {
	const before = accruedInterest(output({ height: 3_484_957 }), LOCKED + 10 * DAY);
	const since = accruedInterest(output({ height: 3_484_958 }), LOCKED + 10 * DAY);
	expect(since).toBe(before / 500n);
	expect(since).toBeGreaterThan(0n);
});

test.each([
	['holds less than ten coins', { value: 10n * COIN - 1n }],
	['was made by a transaction without a lock time', { locktime: 0 }],
	['was made by a transaction that was locked to a height', { locktime: 499_999_999 }],
	['is of the end of the era', { height: 7_777_777 }]
])('an output that %s has none', (_, more) => {
	expect(accruedInterest(output(more), LOCKED + 10 * DAY)).toBe(0n);
});

test('a transaction claims by how much its outputs exceed its inputs, and only on the chain that pays interest', () => {
	expect(claimedInterest('KMD', 5n, 8n)).toBe(3n);
	expect(claimedInterest('KMD', 8n, 8n)).toBeNull();
	expect(claimedInterest('KMD', 8n, 5n)).toBeNull();
	expect(claimedInterest('ALPHA', 5n, 8n)).toBeNull();
});
