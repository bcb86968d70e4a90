import { afterEach, describe, expect, test, vi } from 'vitest';
import type { BudgetWire } from '#lib/server/platform/database/writeNotices.ts';
import {
	createRequestBudget,
	type Asking
} from '#lib/server/platform/rate-limits/throttleRequests.ts';
import {
	createSharedBudgets,
	openOwnBudget,
	type Budget
} from '#lib/server/platform/rate-limits/budgets.ts';

const ADDRESS = '192.0.2.1';
const member = (account: string): Asking => ({ account, address: ADDRESS });
const visitor = (address: string): Asking => ({ account: null, address });

afterEach(() => {
	vi.useRealTimers();
});

test('a person and an address each have as much as their limit and no more', async () => {
	vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
	const budget = createRequestBudget(openOwnBudget, 10);
	for (let n = 0; n < 10; n += 1) expect(await budget.take(member('a'), 1)).toBeNull();
	expect(await budget.take(member('a'), 1)).toBe(10);
	// Another member at the same address is not refused.
	expect(await budget.take(member('b'), 9)).toBeNull();
	// Its visitors have five times as much, and its members once more.
	expect(await budget.take(visitor('192.0.2.1'), 50)).toBeNull();
	expect(await budget.take(visitor('192.0.2.1'), 1)).toBe(10);
	expect(await budget.take(visitor('192.0.2.2'), 1)).toBeNull();
	for (const name of ['c', 'd']) expect(await budget.take(member(name), 10)).toBeNull();
	expect(await budget.take(member('e'), 10)).toBeNull();
	expect(await budget.take(member('f'), 1)).toBe(10);
	vi.advanceTimersByTime(10_001);
	expect(await budget.take(member('a'), 10)).toBeNull();
});

test('an export costs more than a page', async () => {
	const budget = createRequestBudget(openOwnBudget, 20);
	expect(await budget.take(member('a'), 20)).toBeNull();
	expect(await budget.take(member('a'), 20)).not.toBeNull();
});

describe('budgets that servers share', () => {
	/** Servers that each receive all notifications, their own too. */
	function servers(count: number): { take: Budget['take']; stop(): void }[] {
		const hearers: ((text: string) => void)[] = [];
		const wire: BudgetWire = {
			tell(text) {
				expect(Buffer.byteLength(text)).toBeLessThan(8_000);
				for (const hear of hearers) hear(text);
				return Promise.resolve();
			},
			onTold: (hear) => void hearers.push(hear)
		};
		return Array.from({ length: count }, () => {
			const shared = createSharedBudgets(wire);
			return { take: shared.open('calls', 100, 10).take, stop: shared.stop };
		});
	}

	test('what one server gave counts at the others a second later', async () => {
		vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'setInterval', 'clearTimeout'] });
		const [one, other] = servers(2);
		for (let n = 0; n < 60; n += 1) expect(await one!.take('a', 1)).toBeNull();
		vi.advanceTimersByTime(1_000);
		expect(await other!.take('a', 40)).toBeNull();
		expect(await other!.take('a', 1)).toBe(10);
		expect(await other!.take('b', 100)).toBeNull();
		vi.advanceTimersByTime(1_000);
		// A server receives its own notification without counting it twice: 60 of its own, and 41 of the other
		// server.
		expect(await one!.take('a', 1)).not.toBeNull();
		vi.advanceTimersByTime(11_000);
		expect(await one!.take('a', 100)).toBeNull();
	});

	test('four servers give one caller little more than one does', async () => {
		vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'setInterval', 'clearTimeout'] });
		const all = servers(4);
		let given = 0;
		for (let tenth = 0; tenth < 90; tenth += 1) {
			for (const { take } of all) if ((await take('a', 1)) === null) given += 1;
			vi.advanceTimersByTime(100);
		}
		expect(given).toBeGreaterThanOrEqual(100);
		// Everything that was granted before the last second was announced.
		expect(given).toBeLessThanOrEqual(100 + 4 * 10);
	});

	test('callers without number become few words, and who takes most is told of first', async () => {
		vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'setInterval', 'clearTimeout'] });
		const words: string[] = [];
		const shared = createSharedBudgets({
			tell: (text) => Promise.resolve(words.push(text)),
			onTold: () => undefined
		});
		const { take } = shared.open('calls', 100, 10);
		for (let n = 0; n < 20_000; n += 1) await take(`2001:db8:0:${n.toString(16)}::/64`, 1);
		await take('2001:db8:1:1::/64', 100);
		vi.advanceTimersByTime(1_000);
		expect(words.length).toBeLessThanOrEqual(10);
		expect(words[0]).toContain('["calls","2001:db8:1:1::/64",100]');
		words.length = 0;
		vi.advanceTimersByTime(30_000);
		expect(words).toEqual([]);
		shared.stop();
	});

	test('what others write on the channel does no harm', async () => {
		let hear: (text: string) => void = () => undefined;
		const shared = createSharedBudgets({
			tell: () => Promise.resolve(),
			onTold: (told) => void (hear = told)
		});
		const { take } = shared.open('calls', 10, 10);
		for (const taken of [
			...['', null, 5, {}, [[]], [['calls', 'a', -5]], [['calls', 'a', 1e300]]],
			...[[['calls', 'a', '5']], [['calls', 'a', 0.5]], [['none', 'a', 5]], [['calls', 7, 5]]]
		]) {
			hear(JSON.stringify({ by: 'x', taken }));
			hear(JSON.stringify(taken));
		}
		hear('{');
		expect(await take('a', 10)).toBeNull();
		shared.stop();
	});
});
