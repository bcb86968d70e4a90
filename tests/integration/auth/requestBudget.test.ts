import { afterEach, expect, test, vi } from 'vitest';
import {
	createRequestBudget,
	type Asking
} from '#lib/server/platform/rate-limits/throttleRequests.ts';

const ADDRESS = '192.0.2.1';
const member = (account: string): Asking => ({ account, address: ADDRESS });
const visitor = (address: string): Asking => ({ account: null, address });

afterEach(() => {
	vi.useRealTimers();
});

test('a person and an address each have as much as their limit and no more', async () => {
	vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
	const budget = createRequestBudget(10);
	for (let n = 0; n < 10; n += 1) expect(await budget.take(member('a'), 1)).toBeNull();
	expect(await budget.take(member('a'), 1)).toBe(10);
	// Somebody else at the same address is not refused.
	expect(await budget.take(member('b'), 9)).toBeNull();
	// The address has five times as much: 20 are gone.
	expect(await budget.take(visitor('192.0.2.1'), 30)).toBeNull();
	expect(await budget.take(visitor('192.0.2.1'), 1)).toBe(10);
	expect(await budget.take(visitor('192.0.2.2'), 1)).toBeNull();
	vi.advanceTimersByTime(10_001);
	expect(await budget.take(member('a'), 10)).toBeNull();
});

test('an export costs more than a page', async () => {
	const budget = createRequestBudget(20);
	expect(await budget.take(member('a'), 20)).toBeNull();
	expect(await budget.take(member('a'), 20)).not.toBeNull();
});
