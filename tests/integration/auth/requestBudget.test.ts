import { afterEach, expect, test, vi } from 'vitest';
import type { Identity } from '#lib/server/access/policy/identity.ts';
import { VISITOR } from '#lib/server/access/policy/identity.ts';
import { createRequestBudget } from '#lib/server/platform/rate-limits/throttleRequests.ts';

const account = { id: 'a', name: 'ada', role: 'viewer' as const };
const person: Identity = {
	via: 'session',
	account,
	role: 'viewer',
	session: { idHash: 'x', expiresAt: 0, confirmedAt: null, fresh: false }
};
const withToken = (id: string, of = account): Identity => ({
	via: 'token',
	account: of,
	role: 'viewer',
	token: { id, name: id, methods: null, daemons: null }
});

afterEach(() => {
	vi.useRealTimers();
});

test('a person, a token and an address each have as much as their limit and no more', async () => {
	vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
	const budget = createRequestBudget(10);
	for (let n = 0; n < 10; n += 1) expect(await budget.take(person, '192.0.2.1', 1)).toBeNull();
	expect(await budget.take(person, '192.0.2.1', 1)).toBe(10);
	// The person's tokens are the person; somebody else at the same address is not.
	expect(await budget.take(withToken('t'), '192.0.2.1', 1)).toBe(10);
	const bob = { ...account, id: 'b', name: 'bob' };
	expect(await budget.take(withToken('u', bob), '192.0.2.1', 9)).toBeNull();
	// The address has five times as much: 21 are gone.
	expect(await budget.take(VISITOR, '192.0.2.1', 29)).toBeNull();
	expect(await budget.take(VISITOR, '192.0.2.1', 1)).toBe(10);
	expect(await budget.take(VISITOR, '192.0.2.2', 1)).toBeNull();
	vi.advanceTimersByTime(10_001);
	expect(await budget.take(person, '192.0.2.1', 10)).toBeNull();
});

test('an export costs more than a page', async () => {
	const budget = createRequestBudget(20);
	expect(await budget.take(person, '192.0.2.1', 20)).toBeNull();
	expect(await budget.take(person, '192.0.2.1', 20)).not.toBeNull();
});
