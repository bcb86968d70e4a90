import { afterEach, expect, test, vi } from 'vitest';
import {
	createRequestBudget,
	type Asking
} from '#lib/server/platform/rate-limits/throttleRequests.ts';

const ADDRESS = '192.0.2.1';
const person: Asking = { account: 'a', token: null, address: ADDRESS };
const withToken = (token: string, account = 'a'): Asking => ({ account, token, address: ADDRESS });
const visitor = (address: string): Asking => ({ account: null, token: null, address });

afterEach(() => {
	vi.useRealTimers();
});

test('a person, a token and an address each have as much as their limit and no more', async () => {
	vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
	const budget = createRequestBudget(10);
	for (let n = 0; n < 10; n += 1) expect(await budget.take(person, 1)).toBeNull();
	expect(await budget.take(person, 1)).toBe(10);
	// The person's tokens are the person; somebody else at the same address is not.
	expect(await budget.take(withToken('t'), 1)).toBe(10);
	expect(await budget.take(withToken('u', 'b'), 9)).toBeNull();
	// The address has five times as much: 21 are gone.
	expect(await budget.take(visitor('192.0.2.1'), 29)).toBeNull();
	expect(await budget.take(visitor('192.0.2.1'), 1)).toBe(10);
	expect(await budget.take(visitor('192.0.2.2'), 1)).toBeNull();
	vi.advanceTimersByTime(10_001);
	expect(await budget.take(person, 10)).toBeNull();
});

test('an export costs more than a page', async () => {
	const budget = createRequestBudget(20);
	expect(await budget.take(person, 20)).toBeNull();
	expect(await budget.take(person, 20)).not.toBeNull();
});
