import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Account } from '#lib/server/access/identity/identity.ts';
import { satoshiOf, usageOfCall } from '#lib/server/access/policy/measuring/calls.ts';
import { mostText } from '#lib/server/access/policy/limits/changes.ts';
import { readLimit } from '#lib/server/access/policy/limits/form.ts';
import {
	LIMIT_KINDS,
	type LimitKind,
	type Usage
} from '#lib/server/access/policy/measuring/kinds.ts';
import {
	createLimits,
	nearest,
	type Limit,
	type Limits
} from '#lib/server/access/policy/limits/limits.ts';
import type { Auth } from '#lib/server/access/requests/auth.ts';
import { isAppError } from '#lib/server/platform/errors/appError.ts';
import { DAY_MS } from '#lib/text/units.ts';
import { computing } from '../../support/computing.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { addPerson, authOver } from '../../support/members.ts';

const COIN = 100_000_000n;
const START = Date.UTC(2026, 10, 21, 12, 0, 30);

describeOnBothDatabases('spending limits', (database) => {
	let auth: Auth;
	let admin: Account;
	let person: Account;
	let limits: Limits;
	let elsewhere: Limits;
	let now = START;
	let refs = 0;
	beforeAll(async () => {
		auth = await authOver(database);
		admin = await addPerson(database, 'admin');
		limits = createLimits(database.db, auth.audit, () => now);
		elsewhere = createLimits(await database.openAnother(), auth.audit, () => now);
	});
	beforeEach(async () => {
		now = START;
		person = await addPerson(database, 'operator');
		for (const limit of await limits.list()) {
			await limits.set(admin, { ...limit, most: { count: null, amount: null } });
		}
	});

	const limit = (kind: LimitKind, most: Partial<Limit['most']>, more: Partial<Limit> = {}) =>
		limits.set(admin, {
			account: '*',
			chain: '*',
			kind,
			...more,
			most: { count: null, amount: null, ...most }
		});
	const spend = (use: Usage, more: { chain?: string; ref?: string; by?: Limits } = {}) =>
		(more.by ?? limits).recordSpend({
			account: person.id,
			chain: more.chain ?? 'ALPHA',
			ref: more.ref ?? `ref-${(refs += 1)}`,
			usages: [use]
		});
	const send = (amount: bigint | null = 0n): Usage => ({ kind: 'coin-send', amount });
	const refusal = async (act: Promise<void>) => {
		const error = await act.then(
			() => null,
			(cause: unknown) => cause
		);
		if (isAppError(error, 'limit')) return error;
		throw new Error('nothing was refused');
	};

	const freeOf = (no: unknown): number | null =>
		isAppError(no, 'limit.count-reached', 'limit.amount-exceeded') ? no.params.freeAt : null;

	test('without a limit everything goes, and is counted', async () => {
		for (const kind of LIMIT_KINDS) await spend({ kind, amount: 2n * COIN });
		expect(await limits.used(person.id)).toHaveLength(LIMIT_KINDS.length);
		expect((await limits.used(person.id))[0]).toMatchObject({ count: 1n, amount: 2n * COIN });
	});

	test('a number is kept for each person, kind and chain by itself, and says when the next fits', async () => {
		await limit('token-transfer', { count: 2n });
		const transfer: Usage = { kind: 'token-transfer', amount: 0n };
		await spend(transfer);
		now += 60 * 60_000;
		await spend(transfer);
		const no = await refusal(spend(transfer));
		expect(no).toMatchObject({
			code: 'limit.count-reached',
			params: { most: '2', used: '2', freeAt: START + DAY_MS },
			message:
				'Limit reached: 2 of 2 token transfers on ALPHA in 24 hours. Nothing was sent. This one may go out from 2026-11-22 12:01 UTC on; an admin can raise the limit.'
		});
		await spend(transfer, { chain: 'BETA' });
		await spend({ kind: 'token-burn', amount: 0n });
		person = await addPerson(database, 'operator');
		await spend(transfer);
	});

	test('what was refused can go out at the moment that was named, and not before', async () => {
		await limit('sign', { count: 1n });
		const sign: Usage = { kind: 'sign', amount: 0n };
		await spend(sign);
		const freeAt = freeOf(await refusal(spend(sign))) ?? 0;
		now = freeAt - 1;
		await refusal(spend(sign));
		now = freeAt;
		await spend(sign);
		await refusal(spend(sign));
	});

	test('coins are added up to the satoshi, also beyond what a double can hold', async () => {
		const most = 90_000_000n * COIN + 1n;
		await limit('coin-send', { amount: most });
		await spend(send(90_000_000n * COIN));
		const no = await refusal(spend(send(2n)));
		expect(no).toMatchObject({
			code: 'limit.amount-exceeded',
			params: { most: '90000000.00000001', used: '90000000.00000000', takes: '0.00000002' }
		});
		await spend(send(1n));
		expect((await limits.used(person.id))[0]?.amount).toBe(most);
		// More than a whole day's limit: no time is given.
		expect(freeOf(await refusal(spend(send(most + 1n))))).toBeNull();
	});

	test('what went out of a large chain again and again is added up beyond what a column holds', async () => {
		const most = 2n ** 63n - 1n;
		for (let n = 0; n < 3; n++) await spend(send(most));
		expect((await limits.used(person.id))[0]?.amount).toBe(3n * most);
	});

	test('the moment is found where several earlier sends have to leave the day', async () => {
		await limit('coin-send', { amount: 10n * COIN });
		for (const hour of [0, 1, 2, 3]) {
			now = START + hour * 60 * 60_000;
			await spend(send(2n * COIN));
		}
		expect(freeOf(await refusal(spend(send(5n * COIN))))).toBe(START + 60 * 60_000 + DAY_MS);
		expect(freeOf(await refusal(spend(send(10n * COIN))))).toBe(START + 3 * 60 * 60_000 + DAY_MS);
	});

	test('what would never fit is refused at once after as many sends as scripts make in a day', async () => {
		await limit('coin-send', { amount: 10n * COIN });
		const uses = 30_000;
		const row = (n: number) => ({
			account: person.id,
			chain: 'ALPHA',
			kind: 'coin-send' as const,
			ref: `many-${n}`,
			amount: 1n,
			at: BigInt(START - 1_000),
			claims: 1n
		});
		for (let n = 0; n < uses; n += 1_000) {
			const rows = Array.from({ length: 1_000 }, (_, at) => row(n + at));
			await database.db.insertInto('spending_limit_uses').values(rows).execute();
		}
		let no: unknown;
		const took = await computing(async () => (no = await refusal(spend(send(11n * COIN)))));
		expect(took).toBeLessThan(2_000);
		expect(no).toMatchObject({ code: 'limit.amount-exceeded', params: { used: '0.00030000' } });
		expect(freeOf(no)).toBeNull();
	});

	test('an amount that cannot be told is refused where coins are limited, and counts where they are not', async () => {
		await spend(send(null));
		await limit('coin-send', { count: 2n });
		await spend(send(null));
		await refusal(spend(send(null)));
		await limit('coin-send', { amount: 1_000n * COIN });
		expect(await refusal(spend(send(null)))).toMatchObject({ code: 'limit.amount-unknown' });
	});

	test('of two at the same moment one passes, on one server and on two', async () => {
		for (const by of [limits, elsewhere]) {
			person = await addPerson(database, 'operator');
			await limit('migration', { count: 3n, amount: 6n * COIN });
			const uses = Array.from({ length: 8 }, (_, i) =>
				spend({ kind: 'migration', amount: 2n * COIN }, { by: i % 2 === 0 ? limits : by })
			);
			const results = await Promise.allSettled(uses);
			expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
			expect(await limits.used(person.id)).toMatchObject([{ count: 3n, amount: 6n * COIN }]);
		}
	});

	test('the same transaction counts once', async () => {
		await limit('coin-send', { count: 1n });
		await spend(send(), { ref: 'ab'.repeat(32) });
		await spend(send(), { ref: 'ab'.repeat(32) });
		await refusal(spend(send(), { ref: 'cd'.repeat(32) }));
	});

	test('what is refused inside a larger transaction leaves nothing of it', async () => {
		await limit('coin-send', { count: 0n });
		await expect(
			database.db.transaction().execute(async (trx) => {
				await trx
					.updateTable('accounts')
					.set({ role: 'viewer' })
					.where('id', '=', person.id)
					.execute();
				await limits.recordSpend(
					{ account: person.id, chain: 'ALPHA', ref: 'x', usages: [send()] },
					trx
				);
			})
		).rejects.toMatchObject({ code: 'limit.count-reached' });
		const row = await database.db
			.selectFrom('accounts')
			.select('role')
			.where('id', '=', person.id)
			.executeTakeFirst();
		expect(row?.role).toBe('operator');
		expect(await limits.used(person.id)).toEqual([]);
	});

	test('is removed as it was shown, and not once another admin has changed it', async () => {
		const key = { account: '*', chain: 'SHOWN', kind: 'coin-send' } as const;
		const none = { count: null, amount: null };
		await limits.set(null, { ...key, most: { count: 3n, amount: null } });
		await limits.set(null, { ...key, most: { count: 1n, amount: 200_000_000n } });
		const moved = { code: 'change.not-as-shown' };
		const three = mostText({ count: 3n, amount: null });
		const one = { count: 1n, amount: 200_000_000n };
		for (const seen of [three, '3 in 24 hours']) {
			await expect(limits.set(null, { ...key, most: none }, seen)).rejects.toMatchObject(moved);
		}
		await limits.set(null, { ...key, most: none }, mostText(one));
		await limits.set(null, { ...key, most: one });
		// A page that an early release served holds the words of the limit.
		await limits.set(null, { ...key, most: none }, '1 in 24 hours, 2.00000000 coins in 24 hours');
		await limits.setFeeCap(null, 'SHOWN', 200_000_000n);
		await expect(limits.setFeeCap(null, 'SHOWN', null, '3.00000000')).rejects.toMatchObject(moved);
		await limits.setFeeCap(null, 'SHOWN', null, '2.00000000');
		expect((await limits.list()).filter(({ chain }) => chain === 'SHOWN')).toEqual([]);
		expect((await limits.feeCaps()).filter(({ chain }) => chain === 'SHOWN')).toEqual([]);
	});

	test('a change is on record with what was before, and goes with the account', async () => {
		await limit('coin-send', { count: 5n, amount: COIN }, { account: person.id, chain: 'BETA' });
		expect((await auth.audit.list({ limit: 1 }))[0]).toMatchObject({
			actor: admin.name,
			action: 'limit.changed',
			target: person.name,
			detail: { chain: 'BETA', kind: 'coin-send', from: 'none' }
		});
		await spend(send(), { chain: 'BETA' });
		await database.db.deleteFrom('accounts').where('id', '=', person.id).execute();
		expect(await limits.used(person.id)).toEqual([]);
	});
});

describe('which limit holds', () => {
	const of = (account: string, chain: string): Limit => ({
		account,
		chain,
		kind: 'sign',
		most: { count: 1n, amount: null }
	});

	test('the person’s own before everybody’s, the chain’s own before every chain’s', () => {
		const all = [of('*', '*'), of('*', 'ALPHA'), of('eve', '*'), of('eve', 'BETA'), of('bob', '*')];
		const found = (account: string, chain: string): string => {
			const limit = nearest(all, { account, chain, kind: 'sign' });
			return limit ? `${limit.account} ${limit.chain}` : 'none';
		};
		expect(found('eve', 'BETA')).toBe('eve BETA');
		expect(found('eve', 'ALPHA')).toBe('eve *');
		expect(found('ada', 'ALPHA')).toBe('* ALPHA');
		expect(found('ada', 'BETA')).toBe('* *');
		expect(nearest(all, { account: 'eve', chain: 'BETA', kind: 'migration' })).toBeUndefined();
	});
});

describe('a call by hand', () => {
	test.each([
		['1.15', 115_000_000n],
		['"1.15"', 115_000_000n],
		['0.000000001', 1n],
		['1', 100_000_000n],
		['200000000.00000001', 20_000_000_000_000_001n],
		['92233720368.54775807', 2n ** 63n - 1n],
		['92233720368.54775808', null],
		['999999999999', null],
		['1e3', 100_000_000_000n],
		['1e-05', 1_000n],
		['"1.5E-8"', 2n],
		['1e+12', null],
		['1e', null],
		['"0x10"', null],
		['-1', null],
		['" 1"', null],
		['null', null]
	] as const)('the amount %s counts as %s satoshi', (text, satoshi) => {
		expect(satoshiOf(text)).toBe(satoshi);
	});

	test('counts by what it does', () => {
		expect(usageOfCall('sendtoaddress', ['"R"', '2.5'])).toEqual({
			kind: 'coin-send',
			amount: 250_000_000n
		});
		expect(usageOfCall('signmessage', [])).toEqual({ kind: 'sign', amount: 0n });
		expect(usageOfCall('tokencreate', [])).toBeNull();
	});
});

describe('the cost of an entry in the key-value store', () => {
	/** Satoshi of the payment that each entry makes besides its fee. */
	const PAID = 10_000n;
	const takes = (...params: unknown[]) =>
		usageOfCall(
			'kvupdate',
			params.map((param) => JSON.stringify(param))
		);
	const of = (amount: bigint | null) => ({ kind: 'coin-send', amount });

	test('is at least a thousandth of a coin', () => {
		// The documented entry: its daemon answers with a fee of 0.001.
		expect(takes('examplekey', 'examplevalue', '2', 'examplepassphrase')).toEqual(
			of(PAID + 100_000n)
		);
	});

	test('grows with days and size, and shrinks with the length of the key up to 32 bytes', () => {
		const value = 'v'.repeat(918 - 32);
		const ofDay = 1_000n ** 2n / 32n;
		expect(takes('k'.repeat(32), value, '365')).toEqual(of(PAID + 365n * ofDay));
		expect(takes('k'.repeat(33), value.slice(1), 30)).toEqual(of(PAID + 30n * ofDay));
		expect(takes('k', value + 'v'.repeat(31), '1')).toEqual(of(PAID + 1_000n ** 2n));
		expect(takes('é', value + 'v'.repeat(30), '1')).toEqual(of(PAID + 1_000n ** 2n / 2n));
	});

	test('counts a key only as far as a daemon reads it', () => {
		expect(takes('k\0' + 'k'.repeat(30), 'v'.repeat(917), '1')).toEqual(of(PAID + 1_000n ** 2n));
		expect(takes('', 'v', '1')).toEqual(of(null));
		expect(takes('\0k', 'v', '1')).toEqual(of(null));
	});

	test('is that of a year where the days are written in another way', () => {
		const value = 'v'.repeat(917);
		for (const days of ['-1', '1e2', '4000', '99999999999', ' ', 'x']) {
			expect(takes('k', value, days)).toEqual(of(PAID + 365n * 1_000n ** 2n));
		}
		expect(takes('k', value, '0')).toEqual(of(PAID + 1_000n ** 2n));
	});
});

describe('the form of a limit', () => {
	const right = { account: '*', chain: '*', kind: 'coin-send', count: '5', amount: '2.5' };
	const errors = (more: Partial<typeof right>): Record<string, string | undefined> => {
		const read = readLimit({ ...right, ...more }, ['id'], ['ALPHA']);
		return 'errors' in read ? { ...read.errors } : {};
	};

	test('is read with every mistake in it', () => {
		expect(readLimit(right, ['id'], ['ALPHA'])).toEqual({
			limit: {
				account: '*',
				chain: '*',
				kind: 'coin-send',
				most: { count: 5n, amount: 250_000_000n }
			}
		});
		expect(
			Object.keys(errors({ account: 'x', chain: 'x', kind: 'x', count: '-1', amount: '1,5' }))
		).toEqual(['account', 'chain', 'kind', 'count', 'amount']);
		expect(errors({ kind: 'sign' })['amount']).toMatch(/leave it empty/);
		expect(errors({ count: '9999999' })['count']).toMatch(/whole number/);
	});
});
