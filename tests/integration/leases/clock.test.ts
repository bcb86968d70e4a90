import { fork } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql, type Kysely } from 'kysely';
import { beforeAll, expect, test, vi } from 'vitest';
import { createTokenSpending } from '#lib/server/access/api-tokens/spending.ts';
import { createApprovalRequester } from '#lib/server/access/approvals/approvalRequester.ts';
import { createNearerEnds, RECORDED_ENDS } from '#lib/server/access/approvals/nearerEnds.ts';
import { createOpenRequests } from '#lib/server/access/approvals/open.ts';
import type { Account, Member, TokenAmounts } from '#lib/server/access/identity/identity.ts';
import { createLimits } from '#lib/server/access/policy/limits/limits.ts';
import type { MeasuredSpend } from '#lib/server/access/rights/spend.ts';
import { still } from '#lib/server/access/policy/rules/facts.ts';
import { createPolicies } from '#lib/server/access/policy/rules/policies.ts';
import { createClockDoubt } from '#lib/server/platform/audit-trail/clockDoubt.ts';
import type { Auth } from '#lib/server/access/requests/auth.ts';
import { columnNames, tableNames } from '#lib/server/platform/database/catalog.ts';
import { databaseClock } from '#lib/server/platform/database/databaseClock.ts';
import { createClockGuard } from '#lib/server/platform/jobs/clock.ts';
import { startPause } from '#lib/server/platform/rate-limits/throttle.ts';
import { STORED_MOMENTS } from '#lib/server/storedMoments.ts';
import {
	describeOnBothDatabases,
	describeOnPostgres,
	type TestDatabase
} from '../../support/database.ts';
import { startDevnet } from '../../support/devnet.ts';
import { addPerson, authOver } from '../../support/members.ts';
import {
	addressOn,
	draftedBurn,
	gatewayTo,
	migrationsOver,
	placesOf,
	round
} from '../migration/support.ts';
import type { Order, Report } from './workerProcess.ts';
import { shared } from '../../support/shared.ts';
import { askedBytes } from '../../support/ruledRights.ts';
import { faketimeEnv } from '../../support/faketime.ts';

const PROCESS = fileURLToPath(new URL('./workerProcess.ts', import.meta.url));
const HOUR = 3_600_000;

/** A clock that a test sets, and a monotonic one. */
function clocks() {
	let wall = Date.now();
	let steady = 0;
	return {
		clock: () => wall,
		steady: () => steady,
		pass: (ms: number) => {
			wall += ms;
			steady += ms;
		},
		set: (ms: number) => void (wall += ms)
	};
}

describeOnBothDatabases('a wall clock that is set back', (database: TestDatabase) => {
	let to: string;
	const net = shared(() => startDevnet());
	const gateway = shared(() => gatewayTo(placesOf(net)));
	beforeAll(async () => {
		to = await addressOn(net, 'BETA');
	});

	async function waiting(clock: () => number): Promise<string> {
		const migrations = migrationsOver(database.db, gateway, { clock });
		const amount = `0.0${Math.floor(Math.random() * 9e6) + 1e6}`;
		const id = await draftedBurn(migrations, { address: to, amount });
		await migrations.confirm(id, 'ada', null);
		await migrations.advance(id);
		return id;
	}

	const dueOf = async (id: string): Promise<number> => {
		const row = await database.db
			.selectFrom('migrations')
			.select('due_at')
			.where('id', '=', id)
			.executeTakeFirstOrThrow();
		return Number(row.due_at);
	};

	test('makes what waits due at once, and nothing while the clocks go alike', async () => {
		const { clock, steady, pass, set } = clocks();
		const guard = createClockGuard({ db: database.db, bounds: STORED_MOMENTS, clock, steady });
		const id = await waiting(clock);
		const due = await dueOf(id);
		expect(due).toBeGreaterThan(clock());
		pass(500);
		expect(await guard.look()).toBe(false);
		expect(await dueOf(id)).toBe(due);
		set(-HOUR);
		expect(await guard.look()).toBe(true);
		expect(await dueOf(id)).toBe(clock());
		expect(await guard.look()).toBe(false);
		// A few seconds count as well, and a clock that goes forward delays nothing.
		await database.db
			.updateTable('migrations')
			.set({ due_at: clock() + 2_000 })
			.where('id', '=', id)
			.execute();
		set(+HOUR);
		expect(await guard.look()).toBe(false);
		set(-HOUR - 5_000);
		expect(await guard.look()).toBe(true);
		expect(await dueOf(id)).toBe(clock());
	});

	test('before a start is repaired by it: due times, leases, pauses and locked UTXOs', async () => {
		const { clock, set } = clocks();
		const { db } = database;
		const id = await waiting(clock);
		await db
			.updateTable('migrations')
			.set({ lease_owner: 'elsewhere', lease_until: clock() + 15_000 })
			.where('id', '=', id)
			.execute();
		await db
			.insertInto('locked_utxos')
			.values({
				chain: 'ALPHA',
				txid: id.padEnd(64, '0'),
				vout: 0,
				kind: 'migration',
				holder: id,
				until: clock() + 600_000
			})
			.execute();
		await startPause(db, `login-pause:${id}`, 60_000);
		set(-HOUR);
		await createClockGuard({ db, bounds: STORED_MOMENTS, clock }).repair();
		expect(await dueOf(id)).toBe(clock());
		for (const { table, column, longest, keyLike } of STORED_MOMENTS) {
			const only = keyLike === undefined ? sql`` : sql` where key like ${keyLike}`;
			const { rows } = await sql<{ most: bigint | null }>`select
				max(${sql.ref(column)}) as most from ${sql.table(table)}${only}`.execute(db);
			expect(Number(rows[0]?.most ?? 0), `${table}.${column}`).toBeLessThanOrEqual(
				clock() + longest
			);
		}
	});

	test('is repaired once by a database that takes longer than a look', async () => {
		const { clock, steady, set } = clocks();
		const asked: string[] = [];
		const { promise, resolve } = Promise.withResolvers<undefined>();
		const db = database.db.withPlugin({
			transformQuery: ({ node }) => node,
			transformResult: async ({ result }) => {
				asked.push('update');
				await promise;
				return result;
			}
		});
		const [first] = STORED_MOMENTS;
		const guard = createClockGuard({ db, bounds: [first!], clock, steady });
		guard.watch();
		set(-HOUR);
		await vi.waitFor(() => expect(asked).toHaveLength(1), { timeout: 5_000 });
		await sleep(2_500);
		resolve(undefined);
		guard.stop();
		expect(asked).toHaveLength(1);
	});

	test('is thought of for every stored moment that something waits for', async () => {
		const bare = database.db as unknown as Kysely<unknown>;
		/** Times at which a right ends, as it was announced; nothing waits for them. */
		const given = [
			...['sessions', 'setup_links', 'account_links', 'api_tokens', 'sign_on_flows'],
			'factor_challenges'
		];
		const found: string[] = [];
		for (const table of await tableNames(bare, database.db.dialect)) {
			if (given.includes(table) || table.startsWith('ix_')) continue;
			for (const column of await columnNames(bare, database.db.dialect, table)) {
				if (/(^|_)(until|due|due_at|expires_at|ends_at|retry_at|next_at)$/.test(column)) {
					found.push(`${table}.${column}`);
				}
			}
		}
		const moments = [...STORED_MOMENTS, ...RECORDED_ENDS];
		const bounded = new Set(moments.map(({ table, column }) => `${table}.${column}`));
		expect(found.filter((column) => !bounded.has(column))).toEqual([]);
		expect(found.length).toBeGreaterThan(6);
	});

	test('an hour under a running server keeps no migration waiting', async () => {
		const offset = join(database.dataDir, 'offset');
		writeFileSync(offset, '+0\n');
		const id = await waiting(Date.now);
		const order: Order = { database: database.options, places: placesOf(net), id };
		const child = fork(PROCESS, [JSON.stringify(order)], {
			execArgv: [],
			env: { ...process.env, ...faketimeEnv(offset) }
		});
		const seen: Report[] = [];
		try {
			await new Promise<void>((done, failed) => {
				child.once('exit', (code) => failed(new Error(`The server ended with ${code}.`)));
				child.on('message', (report: Report) => {
					seen.push(report);
					if (report.state === 'done') return done();
					// The clock is set back in the middle of the migration.
					if (seen.length === 2) writeFileSync(offset, '-3600\n');
					round(net).catch(failed);
				});
			});
		} finally {
			child.removeAllListeners('exit');
			child.kill('SIGKILL');
			rmSync(offset);
		}
		expect(seen.at(-1)?.at).toBeLessThan(Date.now() - HOUR / 2);
	});
});

/** A script with a token of a member that may send so much. */
async function scriptOf(auth: Auth, account: Account, amounts: TokenAmounts): Promise<Member> {
	const { id } = await auth.tokens.create({ account, name: 'cron', role: 'admin' }, account);
	const open = { methods: null, daemons: null, wallets: null, recipients: null };
	const token = { ...open, id, name: 'cron', countedAs: id, amounts: [amounts] };
	return { via: 'token', account, role: 'admin', token };
}

/** A send of one satoshi. */
const spendOf = (
	{ id, name }: Account,
	chain: string,
	ref: string
): MeasuredSpend & { account: string } => ({
	account: id,
	person: name,
	role: 'admin',
	token: null,
	wallet: chain,
	chain,
	ref,
	recipients: [],
	bytes: null,
	usages: [{ kind: 'coin-send', amount: 1n }],
	movements: [still('call', chain)],
	doubt: null
});

describeOnBothDatabases('a wall clock that was ahead', (database: TestDatabase) => {
	test('holds no limit used up for as long as it was ahead', async () => {
		const { clock, set } = clocks();
		const { db } = database;
		const auth = await authOver(database);
		const ada = await addPerson(database, 'admin');
		const { id: account } = ada;
		const limits = createLimits(db, auth.audit, clock);
		const policies = createPolicies(db, auth.audit, clock);
		const tokens = createTokenSpending(db, clock);
		await limits.set(ada, {
			account,
			chain: 'ALPHA',
			kind: 'coin-send',
			most: { count: 1n, amount: null }
		});
		const script = await scriptOf(auth, ada, { chain: 'ALPHA', each: null, day: 1n });
		const send = (ref: string): Promise<void> => {
			const spend = spendOf(ada, 'ALPHA', ref);
			return tokens.recordSpend(script, spend, async (within = db) => {
				await policies.record(spend, within);
				await limits.recordSpend(spend, within);
			});
		};
		const usedUp = async (): Promise<number> => {
			const uses = await db.selectFrom('policy_uses').select('at').execute();
			return uses.filter(({ at }) => Number(at) > clock() - 24 * HOUR).length;
		};
		set(24 * 365 * HOUR);
		await send('first');
		set(-24 * 365 * HOUR);
		await createClockGuard({ db, bounds: STORED_MOMENTS, clock }).repair();
		await expect(send('second')).rejects.toMatchObject({ code: 'token-limit.day' });
		set(48 * HOUR);
		expect(await usedUp()).toBe(0);
		await send('second');
		expect(await limits.used(account)).toMatchObject([{ count: 1n }]);
	});

	test('forgets nothing that was used within the day, once it is right again', async () => {
		const { clock, set } = clocks();
		const { db } = database;
		const auth = await authOver(database);
		const ada = await addPerson(database, 'admin');
		const { id: account } = ada;
		const limits = createLimits(db, auth.audit, clock);
		const policies = createPolicies(db, auth.audit, clock);
		const tokens = createTokenSpending(db, clock);
		const kind = 'coin-send';
		await limits.set(ada, {
			account,
			chain: 'ALPHA',
			kind,
			most: { count: 2n, amount: null }
		});
		const script = await scriptOf(auth, ada, { chain: 'BETA', each: null, day: 2n });
		const send = (ref: string) => limits.recordSpend(spendOf(ada, 'ALPHA', ref));
		const script2 = (ref: string) =>
			tokens.recordSpend(script, spendOf(ada, 'BETA', ref), () => Promise.resolve());
		const record = (ref: string) =>
			db.transaction().execute((trx) => policies.record(spendOf(ada, 'ALPHA', ref), trx));
		for (const ref of ['of-the-day', 'of-it-too']) {
			await send(ref);
			await script2(ref);
			await record(ref);
		}
		set(31 * 24 * HOUR);
		await send('ahead');
		await script2('ahead');
		await record('ahead');
		set(-31 * 24 * HOUR);
		await createClockGuard({ db, bounds: STORED_MOMENTS, clock }).repair();
		await expect(send('after')).rejects.toMatchObject({ code: 'limit.count-reached' });
		await expect(script2('after')).rejects.toMatchObject({ code: 'token-limit.day' });
		expect(
			await db.selectFrom('policy_uses').select('ref').where('ref', '=', 'of-the-day').execute()
		).toHaveLength(1);
	});

	test('forgets nothing at a server that starts by it and records events before the first send', async () => {
		const { db } = database;
		const auth = await authOver(database);
		const ada = await addPerson(database, 'admin');
		const { id: account } = ada;
		const most = { count: 2n, amount: null };
		await createLimits(db, auth.audit).set(ada, {
			account,
			chain: 'GAMMA',
			kind: 'coin-send',
			most
		});
		const start = async () => {
			const doubt = createClockDoubt();
			await doubt(db);
			// Its own, because the clock is the one of the moment of its creation.
			const { audit } = await authOver(database);
			await audit.append({ actor: ada.name, action: 'rpc.getinfo' });
			const limits = createLimits(db, audit, Date.now, doubt);
			return (ref: string) =>
				limits.recordSpend({
					account,
					chain: 'GAMMA',
					ref,
					usages: [{ kind: 'coin-send', amount: 1n }]
				});
		};
		const send = await start();
		await send('one');
		await send('two');
		const right = Date.now();
		vi.useFakeTimers({ toFake: ['Date'], now: right + 31 * 24 * HOUR });
		try {
			await (
				await start()
			)('ahead');
			// Its log has events of the wrong clock already.
			await (
				await start()
			)('ahead too');
			vi.setSystemTime(right);
			await createClockGuard({ db, bounds: STORED_MOMENTS }).repair();
			await expect(send('after')).rejects.toMatchObject({ code: 'limit.count-reached' });
			const kept = await db
				.selectFrom('spending_limit_uses')
				.select('ref')
				.orderBy('ref')
				.execute();
			expect(kept.map(({ ref }) => ref)).toEqual(expect.arrayContaining(['one', 'two']));
		} finally {
			vi.useRealTimers();
		}
	});

	test('holds back no mails and links for as long as it was ahead', async () => {
		const { clock, set } = clocks();
		const { db } = database;
		const { id: account_id } = await addPerson(database, 'viewer');
		await db
			.insertInto('notice_settings')
			.values({
				account_id,
				mails_sent: 20,
				mails_since: clock(),
				links_sent: 5,
				links_since: clock()
			})
			.execute();
		set(-HOUR);
		await createClockGuard({ db, bounds: STORED_MOMENTS, clock }).repair();
		const since = BigInt(clock());
		expect(
			await db
				.selectFrom('notice_settings')
				.select(['mails_since', 'links_since'])
				.where('account_id', '=', account_id)
				.execute()
		).toEqual([{ mails_since: since, links_since: since }]);
	});

	test('changes no open request and no proposal that the log does not know', async () => {
		const { clock, set } = clocks();
		const { db } = database;
		const auth = await authOver(database);
		const ada = await addPerson(database, 'admin');
		const audit = auth.audit;
		const open = createOpenRequests(audit, clock);
		await createApprovalRequester({ db, audit, open, clock })(askedBytes(ada));
		await auth.settings.change(null, { 'change-approvals': 1 });
		await auth.members.setRole(ada, (await addPerson(database, 'viewer')).id, 'operator');
		set(-HOUR);
		const also = createNearerEnds(db, audit);
		await createClockGuard({ db, bounds: STORED_MOMENTS, also, clock }).repair();
		for (const { table, longest } of RECORDED_ENDS) {
			const rows = await db.selectFrom(table).select('expires_at').execute();
			expect(rows.map(({ expires_at }) => Number(expires_at) - clock())).toEqual([longest]);
		}
		expect(await auth.audit.recorded.differences()).toEqual([]);
	});
});

describeOnPostgres('a server whose clock is days behind that of the database', (database) => {
	test('takes nothing away that counts within the day, no pause of guesses and no open request', async () => {
		const { clock, set } = clocks();
		const { db } = database;
		const { audit } = await authOver(database);
		const ada = await addPerson(database, 'admin');
		const { id: account } = ada;
		const limits = createLimits(db, audit, clock);
		const kind = 'coin-send';
		const limit = { account, chain: 'ALPHA', kind } as const;
		await limits.set(null, { ...limit, most: { count: 1n, amount: null } });
		const spend = (ref: string) =>
			limits.recordSpend({ ...limit, ref, usages: [{ kind, amount: 1n }] });
		await spend('first');
		const requested = clock();
		const open = createOpenRequests(audit, clock);
		await createApprovalRequester({ db, audit, open, clock })(askedBytes(ada));
		await startPause(db, 'login-pause:guesses', 60_000);
		set(-30 * 24 * HOUR);
		await createClockGuard({
			db,
			bounds: STORED_MOMENTS,
			clock,
			sharedClock: databaseClock(db),
			also: createNearerEnds(db, audit)
		}).repair();
		set(30 * 24 * HOUR);
		await expect(spend('second')).rejects.toMatchObject({ code: 'limit.count-reached' });
		expect(await startPause(db, 'login-pause:guesses', 60_000)).toBeGreaterThan(0);
		const ends = await db.selectFrom('approval_requests').select('expires_at').execute();
		expect(ends.map(({ expires_at: at }) => Number(at) > requested)).toEqual([true]);
	});

	test('ends no review, locked UTXO or lease of the others, and makes due what waits too long', async () => {
		const { clock, set } = clocks();
		const { db } = database;
		const txid = 'ab'.repeat(32);
		const until = BigInt(clock() + 500_000);
		await db
			.insertInto('transactions')
			.values({
				id: 'open',
				kind: 'coin-send',
				chain: 'ALPHA',
				daemon: 'ALPHA',
				pubkey: `02${'ab'.repeat(32)}`,
				txid,
				hex: '',
				request: '{}',
				review: '{}',
				state: 'reviewed',
				created_by: 'ada',
				created_at: clock(),
				expires_at: until
			})
			.execute();
		await db
			.insertInto('locked_utxos')
			.values({ chain: 'ALPHA', txid, vout: 0, kind: 'send', holder: 'open', until })
			.execute();
		await db
			.insertInto('notice_jobs')
			.values([
				{ id: 'held', due_at: 1, lease_owner: 'elsewhere', lease_until: clock() + 15_000 },
				{ id: 'waiting', due_at: clock() + 30 * HOUR }
			])
			.execute();
		const ends = async () => [
			await db.selectFrom('transactions').select('expires_at').execute(),
			await db.selectFrom('locked_utxos').select('until').execute(),
			await db.selectFrom('notice_jobs').select('lease_until').where('id', '=', 'held').execute()
		];
		const before = await ends();
		set(-30 * 24 * HOUR);
		const sharedClock = databaseClock(db);
		await createClockGuard({ db, bounds: STORED_MOMENTS, clock, sharedClock }).repair();
		expect(await ends()).toEqual(before);
		const { due_at } = await db
			.selectFrom('notice_jobs')
			.select('due_at')
			.where('id', '=', 'waiting')
			.executeTakeFirstOrThrow();
		expect(Number(due_at)).toBe(clock());
	});
});

describeOnPostgres('times that another server wrote under a wrong clock', (database) => {
	const jobOf = async (id: string) =>
		database.db
			.selectFrom('notice_jobs')
			.select(['due_at', 'lease_until'])
			.where('id', '=', id)
			.executeTakeFirstOrThrow();

	test('are limited while servers run', async () => {
		const { db } = database;
		const { clock, steady, pass } = clocks();
		const sharedClock = databaseClock(db);
		const guard = createClockGuard({ db, bounds: STORED_MOMENTS, clock, steady, sharedClock });
		const due_at = clock() + 24 * HOUR;
		await db.insertInto('notice_jobs').values({ id: 'far', due_at }).execute();
		pass(9 * 60_000);
		expect(await guard.look()).toBe(false);
		expect(Number((await jobOf('far')).due_at)).toBe(due_at);
		pass(60_000);
		expect(await guard.look()).toBe(false);
		expect(Number((await jobOf('far')).due_at)).toBe(clock());
	});

	test('are limited by the clock of the database where they are leases, which it measures', async () => {
		const { db } = database;
		const { clock, set } = clocks();
		const lease_until = clock() + HOUR;
		await db.insertInto('notice_jobs').values({ id: 'lost', due_at: 1, lease_until }).execute();
		set(2 * HOUR);
		const sharedClock = databaseClock(db);
		await createClockGuard({ db, bounds: STORED_MOMENTS, clock, sharedClock }).repair();
		expect(Number((await jobOf('lost')).lease_until)).toBeLessThan(Date.now() + HOUR / 2);
	});
});
