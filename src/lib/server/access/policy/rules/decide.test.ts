import { describe, expect, test } from 'vitest';
import { decide } from './decide.ts';
import {
	readMovements,
	storedMovements,
	type Facts,
	type Movement,
	type PastUse
} from './facts.ts';
import { ruleOf } from '../../../../../../tests/support/ruledRights.ts';
import { readBody, writeBody, type Rule, type RuleBody } from './rule.ts';

const COIN = 100_000_000n;
const BEN = 'RBenBenBenBenBenBenBenBenBenBenBenB';
/** An address that begins and ends with the same letters as Ben's. */
const LOOK_ALIKE = 'RBenBenBenBenBenBenXenBenBenBenBenB';
const NOW = 1_000_000_000_000;

const rule = (place: number, body: Partial<RuleBody>): Rule => ({
	id: `rule-${place}`,
	revision: 1,
	place,
	...ruleOf(body)
});
const coins = (chain = 'ALPHA') => ({ is: 'coin', chain }) as const;
const to = (address: string, amount: bigint | null, own = false) => ({
	recipient: { is: 'address', address, own } as const,
	amount
});
const send = (more: Partial<Movement> = {}): Movement => ({
	kind: 'coin-send',
	chain: 'ALPHA',
	tokenid: null,
	parts: [to(BEN, 5n * COIN)],
	rest: 10_000n,
	...more
});
const facts = (movements: Movement[], more: Partial<Facts> = {}): Facts => ({
	account: 'ada',
	role: 'operator',
	token: null,
	wallet: 'ALPHA',
	movements,
	...more
});
const past = (amount: bigint, more: Partial<PastUse> = {}): PastUse => ({
	ref: `tx-${amount}`,
	account: 'ada',
	role: 'operator',
	token: null,
	wallet: 'ALPHA',
	kind: 'coin-send',
	chain: 'ALPHA',
	tokenid: null,
	at: NOW - 60_000,
	recipient: { is: 'address', address: BEN, own: false },
	amount,
	...more
});
const asked = { is: 'approve' as const, needed: 1, members: ['cy'], roles: [] };
const verdict = (rules: Rule[], of: Facts, uses: PastUse[] = []): string => {
	const found = decide(rules, of, uses, NOW);
	return `${found.code} ${found.rule?.place ?? '-'}`;
};

describe('the rules of the policies', () => {
	test('let pass what no rule is for', () => {
		expect(verdict([], facts([send()]))).toBe('none -');
		expect(verdict([rule(1, { asset: coins('BETA') })], facts([send()]))).toBe('none -');
		expect(verdict([rule(1, {})], facts([]))).toBe('none -');
	});

	test('are asked in order, and the first that fits decides', () => {
		const allowed = rule(1, {
			recipient: { is: 'listed', listed: [{ address: BEN, label: 'Ben' }] },
			effect: { is: 'allow' }
		});
		expect(verdict([allowed, rule(2, {})], facts([send()]))).toBe('allow 1');
		expect(verdict([rule(1, {}), { ...allowed, place: 2 }], facts([send()]))).toBe('deny 1');
	});

	test('take an address that looks alike for another one', () => {
		const allowed = rule(1, {
			recipient: { is: 'listed', listed: [{ address: BEN, label: 'Ben' }] },
			effect: { is: 'allow' }
		});
		expect(verdict([allowed, rule(2, {})], facts([send({ parts: [to(LOOK_ALIKE, COIN)] })]))).toBe(
			'deny 2'
		);
	});

	test('judge each recipient, and the strictest answer holds', () => {
		const allowed = rule(1, {
			recipient: { is: 'listed', listed: [{ address: BEN, label: null }] },
			effect: { is: 'allow' }
		});
		const both = facts([send({ parts: [to(BEN, COIN), to(LOOK_ALIKE, 1n)] })]);
		expect(verdict([allowed, rule(2, {})], both)).toBe('deny 2');
		const denied = rule(1, {
			recipient: { is: 'listed', listed: [{ address: BEN, label: null }] }
		});
		expect(verdict([denied], both)).toBe('deny 1');
	});

	test('count all recipients of a transaction together, and its fee', () => {
		const over = rule(1, { asset: coins(), over: 10n * COIN, effect: asked });
		const split = facts([
			send({ parts: [to(BEN, 6n * COIN), to(LOOK_ALIKE, 6n * COIN)], rest: 0n })
		]);
		expect(verdict([over], split)).toBe('approve 1');
		expect(verdict([over], facts([send({ parts: [to(BEN, 10n * COIN)] })]))).toBe('approve 1');
		expect(verdict([over], facts([send({ parts: [to(BEN, 10n * COIN)], rest: 0n })]))).toBe(
			'none -'
		);
	});

	test('count what went out before within a window, of everybody whom the rule is for', () => {
		const window = rule(1, {
			asset: coins(),
			window: { hours: 24, total: 10n * COIN, count: null },
			effect: asked
		});
		const nine = [past(3n * COIN), past(2n * COIN, { account: 'bob' })];
		expect(verdict([window], facts([send()]), nine)).toBe('approve 1');
		expect(verdict([window], facts([send()]), [past(3n * COIN)])).toBe('none -');
		const old = [past(9n * COIN, { at: NOW - 25 * 3_600_000 })];
		expect(verdict([window], facts([send()]), old)).toBe('none -');
		const other = [past(9n * COIN, { chain: 'BETA' })];
		expect(verdict([window], facts([send()]), other)).toBe('none -');
		const own = { ...window, who: { is: 'member', account: 'ada' } as const };
		expect(verdict([own], facts([send()]), nine)).toBe('none -');
	});

	test('take what went out unmeasured for all that may go out within a window', () => {
		const window = { hours: 24, total: 100n * COIN, count: null };
		const kv = [past(0n, { ref: 'kv', recipient: { is: 'nobody' }, amount: null })];
		const judged = (effect: RuleBody['effect'], uses = kv) =>
			verdict([rule(1, { asset: coins(), window, effect })], facts([send()]), uses);
		expect(judged(asked, [])).toBe('none -');
		expect(judged(asked)).toBe('approve 1');
		expect(judged({ is: 'deny' })).toBe('deny 1');
		expect(judged({ is: 'allow' })).toBe('unknown 1');
		expect(
			verdict([rule(1, { window: { hours: 24, total: null, count: 2 } })], facts([send()]), kv)
		).toBe('none -');
	});

	test('count a transaction once that was counted for several members, and never beside itself', () => {
		const window = { hours: 24, total: 10n * COIN, count: 2 };
		const rules = [rule(1, { asset: coins(), window })];
		const bytes = (account: string, wallet = 'ALPHA') =>
			past(4n * COIN, { ref: 'same', account, wallet });
		const taken = [bytes('ada'), bytes('bob')];
		expect(verdict(rules, facts([send()]), taken)).toBe('none -');
		expect(verdict(rules, facts([send()]), [...taken, past(COIN)])).toBe('deny 1');
		// Another wallet contributed another part of it.
		expect(verdict(rules, facts([send()]), [bytes('ada'), bytes('bob', 'SECOND')])).toBe('deny 1');
		// It is sent in the name of another member.
		const again = facts([send()], { account: 'cy', ref: 'same' });
		expect(verdict(rules, again, [...taken, past(4n * COIN)])).toBe('none -');
	});

	test('count transactions within a window, each once however many it pays', () => {
		const two = rule(1, { window: { hours: 1, total: null, count: 2 } });
		const one = [past(1n), past(1n, { recipient: { is: 'nobody' } })];
		expect(verdict([two], facts([send()]), one)).toBe('none -');
		expect(verdict([two], facts([send()]), [...one, past(2n)])).toBe('deny 1');
	});

	test('refuse what a rule needs and the bytes do not tell, and only then', () => {
		const hidden = facts([
			send({ parts: [{ recipient: { is: 'unknown' }, amount: COIN }], rest: 0n })
		]);
		const listed = rule(1, {
			recipient: { is: 'listed', listed: [{ address: BEN, label: null }] },
			effect: { is: 'allow' }
		});
		expect(verdict([listed], hidden)).toBe('unknown 1');
		expect(verdict([rule(1, { asset: coins('BETA') }), listed], hidden)).toBe('unknown 1');
		expect(verdict([{ ...listed, kind: 'migration' }], hidden)).toBe('none -');
		const unmeasured = facts([
			send({ parts: [{ recipient: { is: 'nobody' }, amount: null }], rest: 0n })
		]);
		expect(verdict([rule(1, { asset: coins(), over: COIN })], unmeasured)).toBe('unknown 1');
		expect(verdict([rule(1, { effect: { is: 'allow' } })], unmeasured)).toBe('allow 1');
	});

	test('tell members, roles, API tokens and wallets apart', () => {
		const by = (who: RuleBody['who'], more: Partial<Facts> = {}): string =>
			verdict([rule(1, { who })], facts([send()], more));
		expect(by({ is: 'member', account: 'ada' })).toBe('deny 1');
		expect(by({ is: 'member', account: 'bob' })).toBe('none -');
		expect(by({ is: 'role', role: 'operator' })).toBe('deny 1');
		expect(by({ is: 'role', role: 'admin' })).toBe('none -');
		expect(by({ is: 'token', token: 't1' })).toBe('none -');
		expect(by({ is: 'token', token: 't1' }, { token: 't1' })).toBe('deny 1');
		expect(by({ is: 'any-token' })).toBe('none -');
		expect(by({ is: 'any-token' }, { token: 't2' })).toBe('deny 1');
		expect(verdict([rule(1, { wallet: 'BETA' })], facts([send()]))).toBe('none -');
	});

	test('tell own wallets, tokens and coins apart', () => {
		const own = rule(1, { recipient: { is: 'own' } });
		expect(verdict([own], facts([send()]))).toBe('none -');
		expect(verdict([own], facts([send({ parts: [to(BEN, COIN, true)] })]))).toBe('deny 1');
		const tokenid = 'ab'.repeat(32);
		const token = rule(1, { asset: { is: 'token', chain: 'ALPHA', tokenid }, over: 5n });
		const moved = send({ kind: 'token-transfer', tokenid, parts: [to(BEN, 6n)], rest: 0n });
		expect(verdict([token], facts([moved]))).toBe('deny 1');
		expect(verdict([token], facts([{ ...moved, parts: [to(BEN, 5n)] }]))).toBe('none -');
		expect(verdict([token], facts([send()]))).toBe('none -');
		expect(verdict([rule(1, { asset: coins() })], facts([moved]))).toBe('none -');
	});

	test('ask for every approval that one of the movements needs', () => {
		const coinsRule = rule(1, { kind: 'coin-send', effect: asked });
		const tokens = rule(2, {
			kind: 'token-transfer',
			effect: { is: 'approve', needed: 2, members: ['cy', 'dee'], roles: [] }
		});
		const moved = send({ kind: 'token-transfer', tokenid: 'ab'.repeat(32), rest: 0n });
		const found = decide([coinsRule, tokens], facts([moved, send()]), [], NOW);
		expect(found.code === 'approve' && found.rules.map(({ place }) => place)).toEqual([2, 1]);
	});

	test(
		'judge as many recipients as a transaction has at once, beside the sends of a busy month',
		{ timeout: 5_000 },
		() => {
			const uses = Array.from({ length: 20_000 }, (_, n) => past(1n, { ref: `tx-${n}` }));
			const parts = Array.from({ length: 2_000 }, (_, n) => to(`${BEN}${n}`, COIN));
			const window = { hours: 720, total: 1_000_000n * COIN, count: 1_000_000 };
			const rules = [1, 2, 3].map((place) => rule(place, { window }));
			expect(verdict(rules, facts([send({ parts })]), uses)).toBe('none -');
		}
	);

	test('come back as they were stored, amounts to the last satoshi', () => {
		const {
			id: _id,
			revision: _revision,
			place: _place,
			...body
		} = rule(1, {
			asset: coins(),
			over: 2n ** 62n + 1n,
			window: { hours: 24, total: 1n, count: 3 },
			effect: asked
		});
		expect(readBody(writeBody(body))).toEqual(body);
		const movements = [send(), send({ parts: [{ recipient: { is: 'unknown' }, amount: null }] })];
		expect(readMovements(storedMovements(movements))).toEqual(movements);
	});
});
