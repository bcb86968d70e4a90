import { once as happened } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { openAsIs } from '#lib/server/database.ts';
import type { Answer } from '#lib/server/platform/idempotency/answer.ts';
import {
	createIdempotency,
	fingerprintOf,
	isKey,
	type Keyed
} from '#lib/server/platform/idempotency/idempotency.ts';
import { createOnceForms } from '#lib/server/platform/idempotency/onceForms.ts';
import { openOwnBudget } from '#lib/server/platform/rate-limits/budgets.ts';
import { describeOnBothDatabases } from '../../support/database.ts';

const request = (key: string, more: Partial<Keyed> = {}): Keyed => ({
	actor: 'ada',
	route: '/migrations/new',
	key,
	fingerprint: 'the form',
	...more
});
const answered = (status: number, location?: string, body = ''): Answer => ({
	status,
	headers: location === undefined ? [['content-type', 'text/html']] : [['location', location]],
	body: new TextEncoder().encode(body)
});

/** Work that counts its executions, and ends when told to. */
function work(answer: (n: number) => Answer) {
	let done = 0;
	let finish = (): void => undefined;
	let begin = (): void => undefined;
	const begun = new Promise<void>((resolve) => {
		begin = resolve;
	});
	const finished = new Promise<void>((resolve) => {
		finish = resolve;
	});
	return {
		begun,
		finish: () => finish(),
		get done() {
			return done;
		},
		run: async (): Promise<Answer> => {
			done += 1;
			const n = done;
			begin();
			await finished;
			return answer(n);
		}
	};
}

describeOnBothDatabases('a request that names itself', (database) => {
	test('is carried out once by all processes, and everybody is answered what the first was', async () => {
		const other = await database.openAnother();
		const processes = [database.db, database.db, other, other].map((db) =>
			createIdempotency({ db })
		);
		const made = work((n) => answered(303, `/transactions/${n}`));
		const all = processes.map((once) => once(request('parallel'), made.run));
		made.finish();
		const answer = answered(303, '/transactions/1');
		expect(await Promise.all(all)).toEqual(processes.map(() => ({ kind: 'answer', answer })));
		expect(await processes[2]!(request('parallel'), made.run)).toEqual({ kind: 'answer', answer });
		expect(made.done).toBe(1);
	});

	test('a member who sends more forms with keys than anybody would is told when to go on', async () => {
		const once = createOnceForms(createIdempotency({ db: database.db }), openOwnBudget, 2);
		const made = work((n) => answered(303, `/transactions/${n}`));
		made.finish();
		const kinds = async (actor: string): Promise<string[]> => {
			const told = ['first', 'second', 'third'].map((key) =>
				once(request(key, { actor }), made.run)
			);
			return (await Promise.all(told)).map(({ kind }) => kind);
		};
		expect(await kinds('eve')).toEqual(['answer', 'answer', 'limited']);
		expect(await kinds('bob')).toEqual(['answer', 'answer', 'limited']);
		expect(made.done).toBe(4);
	});

	test('a form whose page shows very much is carried out once as well', async () => {
		const once = createIdempotency({ db: database.db });
		const data = JSON.stringify(JSON.stringify([{ rows: 1 }, 'a row '.repeat(20_000)]));
		const made = work(() => ({
			status: 200,
			headers: [['content-type', 'application/json']],
			body: new TextEncoder().encode(`{"type":"success","status":200,"data":${data}}`)
		}));
		made.finish();
		await once(request('shows very much'), made.run);
		await once(request('shows very much'), made.run);
		expect(made.done).toBe(1);
	});

	test('of a form that a script sent is kept that it was carried out, and not what its page shows once', async () => {
		const once = createIdempotency({ db: database.db });
		const told = (body: string): Answer => ({
			status: 200,
			headers: [['content-type', 'application/json']],
			body: new TextEncoder().encode(body)
		});
		const shown = told(
			'{"type":"success","status":200,"data":"[{\\"token\\":1},\\"kdk_secret\\"]"}'
		);
		const made = work(() => shown);
		made.finish();
		expect(await once(request('shows a secret'), made.run)).toMatchObject({ answer: shown });
		expect(await once(request('shows a secret'), made.run)).toEqual({
			kind: 'answer',
			answer: told('{"type":"success","status":204}')
		});
		expect(made.done).toBe(1);
		const rows = await database.db.selectFrom('idempotency_keys').select('answer').execute();
		expect(JSON.stringify(rows)).not.toContain('kdk_secret');
	});

	test('that was refused may be tried again, and its double is told the same', async () => {
		const once = createIdempotency({ db: database.db });
		const refused = work((n) => answered(400, undefined, `mistake ${n}`));
		const first = once(request('refused!'), refused.run);
		await refused.begun;
		const second = once(request('refused!'), refused.run);
		refused.finish();
		const [one, two] = await Promise.all([first, second]);
		expect(one).toEqual({ kind: 'answer', answer: answered(400, undefined, 'mistake 1') });
		expect(two.kind).toBe('answer');
		const made = work(() => answered(303, '/transactions/2'));
		made.finish();
		expect(await once(request('refused!'), made.run)).toMatchObject({ answer: { status: 303 } });
	});

	test('is another one for somebody else, for another address, and never for other contents', async () => {
		const once = createIdempotency({ db: database.db });
		const made = work((n) => answered(303, `/transactions/${n}`));
		made.finish();
		await once(request('the-same'), made.run);
		await once(request('the-same', { actor: 'bob' }), made.run);
		await once(request('the-same', { route: '/migrations/recover' }), made.run);
		expect(made.done).toBe(3);
		expect(await once(request('the-same', { fingerprint: 'other' }), made.run)).toEqual({
			kind: 'reused'
		});
		expect(made.done).toBe(3);
	});

	test('left behind by a process that ended is carried out after two minutes, and forgotten after a day', async () => {
		let now = 1_800_000_000_000;
		const once = createIdempotency({ db: database.db, clock: () => now });
		const never = work(() => answered(303, '/never'));
		void once(request('left-behind'), never.run).catch(() => undefined);
		// The first check sees a log whose last event is much older than this clock.
		const steady = { now: 0 };
		const next = createIdempotency({
			db: database.db,
			clock: () => now,
			steady: () => steady.now
		});
		const pass = (ms: number): void => {
			now += ms;
			steady.now += ms;
		};
		const made = work((n) => answered(303, `/made/${n}`));
		made.finish();
		await expect
			.poll(() =>
				database.db
					.selectFrom('idempotency_keys')
					.select('key')
					.where('answer', 'is', null)
					.execute()
			)
			.toHaveLength(1);
		pass(2 * 60_000);
		expect(await next(request('left-behind'), made.run)).toMatchObject({
			answer: { headers: [['location', '/made/1']] }
		});
		pass(24 * 3_600_000);
		expect(await next(request('left-behind'), made.run)).toMatchObject({
			answer: { headers: [['location', '/made/2']] }
		});
	});

	test('is not carried out again because the clock is a day ahead for a while', async () => {
		let now = Date.now();
		const once = createIdempotency({ db: database.db, clock: () => now });
		const made = work((n) => answered(303, `/made/${n}`));
		made.finish();
		const first = { answer: { headers: [['location', '/made/1']] } };
		expect(await once(request('day-ahead'), made.run)).toMatchObject(first);
		now += 25 * 3_600_000;
		expect(await once(request('day-ahead'), made.run)).toMatchObject(first);
		// Neither through another request of that time, nor through a server that starts then.
		await createIdempotency({ db: database.db, clock: () => now })(request('other'), made.run);
		now -= 25 * 3_600_000;
		expect(await once(request('day-ahead'), made.run)).toMatchObject(first);
	});

	test('is carried out once although the clock is set forward while it is under way', async () => {
		let now = 1_900_000_000_000;
		const once = createIdempotency({ db: database.db, clock: () => now });
		const made = work((n) => answered(303, `/made/${n}`));
		const first = once(request('clock-set-forward'), made.run);
		await made.begun;
		now += 10 * 60_000;
		const second = once(request('clock-set-forward'), made.run);
		await database.db.selectFrom('idempotency_keys').select('key').execute();
		made.finish();
		const answer = answered(303, '/made/1');
		expect(await Promise.all([first, second])).toEqual([
			{ kind: 'answer', answer },
			{ kind: 'answer', answer }
		]);
		expect(made.done).toBe(1);
	});

	test('is carried out once although it ends while its repetition reads how far it is', async () => {
		let now = 2_000_000_000_000;
		const read = Promise.withResolvers<undefined>();
		const ended = Promise.withResolvers<undefined>();
		const selects = new WeakSet<object>();
		const late = database.db.withPlugin({
			transformQuery({ node, queryId }) {
				if (node.kind === 'SelectQueryNode') selects.add(queryId);
				return node;
			},
			async transformResult({ result, queryId }) {
				if (selects.has(queryId)) {
					read.resolve(undefined);
					await ended.promise;
				}
				return result;
			}
		});
		const { dialect, changeStamp, seenDamage } = database.db;
		const close = (): Promise<void> => database.db.close();
		const db = Object.assign(late, { dialect, changeStamp, seenDamage, close });
		const once = createIdempotency({ db, clock: () => now });
		const made = work((n) => answered(303, `/made/${n}`));
		const first = once(request('ends-meanwhile'), made.run);
		await made.begun;
		now += 10 * 60_000;
		const second = once(request('ends-meanwhile'), made.run);
		await read.promise;
		made.finish();
		const answer = await first;
		ended.resolve(undefined);
		expect(answer).toMatchObject({ kind: 'answer' });
		expect(await second).toEqual(answer);
		expect(made.done).toBe(1);
	});

	test('is carried out once although the database takes its answer only minutes later', async () => {
		let now = 2_100_000_000_000;
		let isAway = true;
		const db = new Proxy(database.db, {
			get(target, name) {
				if (name === 'updateTable' && isAway) throw new Error('Connection terminated');
				const value: unknown = Reflect.get(target, name);
				return typeof value === 'function' ? (value.bind(target) as unknown) : value;
			}
		});
		const once = createIdempotency({ db, clock: () => now });
		const made = work((n) => answered(303, `/made/${n}`));
		made.finish();
		const first = await once(request('taken-late'), made.run);
		now += 3 * 60_000;
		expect(await once(request('taken-late'), made.run)).toEqual(first);
		expect(await once(request('taken-late', { fingerprint: 'other' }), made.run)).toEqual({
			kind: 'reused'
		});
		expect(made.done).toBe(1);
		isAway = false;
		const isSaved = () =>
			database.db
				.selectFrom('idempotency_keys')
				.select('key')
				.where('answer', 'like', '%/made/1%')
				.where('started_at', '=', BigInt(now - 3 * 60_000))
				.execute();
		await expect.poll(isSaved, { timeout: 20_000 }).toHaveLength(1);
		expect(await once(request('taken-late'), made.run)).toEqual(first);
		expect(made.done).toBe(1);
	});

	test('is carried out once however long a process is at it', async () => {
		let now = 2_000_000_000_000;
		const clock = (): number => now;
		const once = createIdempotency({ db: database.db, clock, atItMs: 5 });
		const other = createIdempotency({ db: await database.openAnother(), clock });
		const made = work((n) => answered(303, `/made/${n}`));
		const first = once(request('takes-long'), made.run);
		await made.begun;
		for (let minutes = 0; minutes < 3; minutes++) {
			now += 60_000;
			await expect
				.poll(() =>
					database.db
						.selectFrom('idempotency_keys')
						.select('key')
						.where('started_at', '=', BigInt(now))
						.execute()
				)
				.toHaveLength(1);
		}
		const second = other(request('takes-long'), made.run);
		await database.db.selectFrom('idempotency_keys').select('key').execute();
		made.finish();
		expect(await second).toEqual(await first);
		expect(made.done).toBe(1);
	});

	test('is not carried out beside a second server because the first, away for long, is refused at last', async () => {
		let now = 2_200_000_000_000;
		const clock = (): number => now;
		const other = await database.openAnother();
		const [first, second, third] = [database.db, other, other].map((db) =>
			createIdempotency({ db, clock })
		);
		const refused = work(() => answered(400, undefined, 'a mistake'));
		const made = work((n) => answered(303, `/made/${n}`));
		const one = first!(request('away-for-long'), refused.run);
		await refused.begun;
		now += 3 * 60_000;
		const two = second!(request('away-for-long'), made.run);
		await made.begun;
		refused.finish();
		await one;
		const three = third!(request('away-for-long'), made.run);
		made.finish();
		expect(await three).toEqual(await two);
		expect(made.done).toBe(1);
	});

	// Only PostgreSQL has a clock that servers share.
	if (database.dialect === 'PostgreSQL') {
		test('is carried out when it comes again, where the database went behind the commit of its key', async () => {
			const { url, dataDir } = database.options;
			const { hostname: host, port } = new URL(url ?? '');
			let isCut = false;
			const network = createServer((near) => {
				const far = connect({ host, port: Number(port) });
				const end = (): void => void [near, far].map((socket) => socket.destroy());
				for (const socket of [near, far]) socket.on('error', end).on('close', end);
				let isClaim = false;
				near.on('data', (chunk) => {
					isClaim = !isCut && chunk.includes('insert into "idempotency_keys"');
					far.write(chunk);
				});
				far.on('data', (chunk) => {
					if (!isClaim) return void near.write(chunk);
					isCut = true;
					end();
				});
			}).listen(0, '127.0.0.1');
			await happened(network, 'listening');
			const behind = new URL(url ?? '');
			behind.host = `127.0.0.1:${(network.address() as AddressInfo).port}`;
			const db = openAsIs({ url: behind.href, dataDir });
			const once = createIdempotency({ db });
			const made = work(() => answered(200));
			made.finish();
			const call = () => once(request('commit-lost'), made.run, { atMostOnce: true });
			await expect(call()).rejects.toThrow(/terminated/);
			expect([isCut, made.done]).toEqual([true, 0]);
			await vi.waitFor(async () => expect((await call()).kind).toBe('answer'), {
				timeout: 45_000
			});
			expect(made.done).toBe(1);
			await db.close();
			network.close();
		});

		test('is carried out once by servers of which one is ten minutes ahead', async () => {
			const once = createIdempotency({ db: database.db });
			const other = await database.openAnother();
			const made = work((n) => answered(303, `/made/${n}`));
			const first = once(request('server-ahead'), made.run);
			await made.begun;
			const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 10 * 60_000);
			const second = createIdempotency({ db: other })(request('server-ahead'), made.run);
			// It has checked several times by then.
			await sleep(200);
			clock.mockRestore();
			made.finish();
			expect(await second).toEqual(await first);
			expect(made.done).toBe(1);
		});

		test('is not carried out again because the clock of the database is a day ahead for a while', async () => {
			const { db } = database;
			await sql`create function public.clock_timestamp() returns timestamptz language sql as
				'select pg_catalog.clock_timestamp()'`.execute(db);
			await sql`do $$ begin execute format(
				'alter database %I set search_path = public, pg_catalog', current_database()); end $$`.execute(db);
			const event = { actor: 'ada', action: 'session.confirmed', kind: 'session', outcome: 'done' };
			const hashes = { prev_hash: '', hash: '', version: 3, detail: '{}' };
			await db
				.insertInto('audit_events')
				.values({ seq: 1, time: Date.now(), ...(event as object), ...hashes } as never)
				.execute();
			const other = await database.openAnother();
			const once = createIdempotency({ db: other });
			const made = work((n) => answered(303, `/made/${n}`));
			made.finish();
			const first = { answer: { headers: [['location', '/made/1']] } };
			expect(await once(request('database-ahead'), made.run)).toMatchObject(first);
			await sql`create or replace function public.clock_timestamp() returns timestamptz language sql as
				'select pg_catalog.clock_timestamp() + interval ''25 hours'''`.execute(db);
			expect(await once(request('database-ahead'), made.run)).toMatchObject(first);
			// Neither through another request of that time, nor through a server that starts then.
			await createIdempotency({ db: other })(request('other-server'), made.run);
			expect(await once(request('database-ahead'), made.run)).toMatchObject(first);
			await sql`drop function public.clock_timestamp()`.execute(db);
			expect(await once(request('database-ahead'), made.run)).toMatchObject(first);
		});
	}

	test('keeps nothing that is shown once, and nothing with a cookie', async () => {
		const once = createIdempotency({ db: database.db });
		const page = work(() => answered(200, undefined, 'the secret of a token'));
		page.finish();
		await once(request('a-secret'), page.run);
		const cookie = work(() => ({ ...answered(303, '/'), headers: [['set-cookie', 'session=1']] }));
		cookie.finish();
		await once(request('a-cookie'), cookie.run);
		const kept = await database.db.selectFrom('idempotency_keys').select('answer').execute();
		expect(JSON.stringify(kept)).not.toMatch(/secret|session=1/);
	});
});

test('a key is long enough not to be hit by chance, and visible', () => {
	expect(['12345678', 'x'.repeat(128)].map(isKey)).toEqual([true, true]);
	expect(['1234567', 'x'.repeat(129), 'with space', 'ümläut-key'].map(isKey)).toEqual(
		Array(4).fill(false)
	);
});

test('a form is known by its fields, their order and its files', async () => {
	const form = (...fields: [string, string | File][]): FormData => {
		const data = new FormData();
		for (const [name, value] of fields) data.append(name, value);
		return data;
	};
	const prints = await Promise.all(
		[
			form(['a', '1'], ['b', '2']),
			form(['b', '2'], ['a', '1']),
			form(['a', '1b2']),
			form(['a', new File(['1'], 'x')]),
			form(['a', new File(['2'], 'x')])
		].map(fingerprintOf)
	);
	expect(new Set(prints).size).toBe(5);
	expect(await fingerprintOf(form(['a', '1'], ['b', '2']))).toBe(prints[0]);
});
