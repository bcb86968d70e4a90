import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql, type Kysely } from 'kysely';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createAudit, type Audit } from '#lib/server/access/audit/audit.ts';
import { withinRequest } from '#lib/server/access/audit/context.ts';
import { createHashes } from '#lib/server/access/audit/hashes.ts';
import { openRecord } from '#lib/server/platform/audit-trail/record.ts';
import type { Schema } from '#lib/server/schema.ts';
import { createRetention } from '#lib/server/access/audit/retention.ts';
import { createClockDoubt } from '#lib/server/platform/audit-trail/clockDoubt.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { authOver } from '../../support/members.ts';
import { emptyLog, tamper as tamperWith } from './support.ts';

describeOnBothDatabases('the audit log', (database) => {
	const key = randomBytes(32);
	const SEGMENT = 4;
	let audit: Audit;
	const tamper = (act: (db: Kysely<Schema>) => Promise<unknown>) => tamperWith(database, act);
	const outside = (): string => join(database.dataDir, 'audit');
	const open = (db = database.db): Audit =>
		createAudit(db, key, { dataDir: database.dataDir, segmentRows: SEGMENT });
	const broken = async () => {
		const verdict = await audit.verify();
		if (verdict.ok) return null;
		const { reason, seq, segment } = verdict;
		return { reason, seq, segment };
	};

	/** Ten events: segments 1 to 4 and 5 to 8, and two after the last checkpoint. */
	beforeEach(async () => {
		// An earlier instance would write its copy into the folder of the next one.
		await audit?.stop();
		await emptyLog(database);
		rmSync(outside(), { recursive: true, force: true });
		audit = open();
		for (let i = 1; i <= 10; i += 1) {
			await audit.append({ actor: `actor-${i}`, action: 'rpc.test', target: 't', detail: { i } });
		}
		await audit.keepOutside();
	});

	test('is whole as it was written, and says what was looked at', async () => {
		expect(await audit.verify()).toMatchObject({
			ok: true,
			checked: {
				rows: 10,
				from: 1,
				to: 10,
				segments: 2,
				dropped: 0,
				copies: 2,
				seen: { seq: 10 }
			}
		});
		expect((await audit.list({ limit: 2 })).map(({ actor }) => actor)).toEqual([
			'actor-10',
			'actor-9'
		]);
		expect((await audit.list({ before: 3 })).map(({ seq }) => seq)).toEqual([2, 1]);
		expect(await audit.list({ actor: 'actor-3' })).toMatchObject([{ seq: 3, detail: { i: 3 } }]);
		expect(await audit.segments(9)).toMatchObject([
			{ number: 2, first: 5, last: 8, rows: 4 },
			{ number: 1, first: 1, last: 4, rows: 4 }
		]);
	});

	test('stays one chain, with one checkpoint, when several connections write and add checkpoints at once', async () => {
		const others = [open(await database.openAnother()), open(await database.openAnother())];
		await Promise.all([
			...Array.from({ length: 40 }, (_, i) =>
				[audit, ...others][i % 3]!.append({ actor: 'many', action: `rpc.a${i}` })
			),
			...others.map((other) => other.checkpointOlderThan(Date.now() + 1)),
			...others.map((other) => other.keepOutside())
		]);
		await audit.keepOutside();
		const verdict = await audit.verify();
		expect(verdict).toMatchObject({ ok: true, checked: { rows: 50, seen: { seq: 50 } } });
		const { segments, copies } = verdict.checked;
		expect(segments).toBeGreaterThanOrEqual(12);
		expect(copies).toBeGreaterThanOrEqual(segments);
	});

	test('a row is there exactly when its transaction is', async () => {
		await expect(
			database.db.transaction().execute(async (trx) => {
				await audit.append({ actor: 'x', action: 'rpc.undone' }, trx);
				throw new Error('changed our mind');
			})
		).rejects.toThrow('changed our mind');
		expect(await audit.verify()).toMatchObject({ ok: true, checked: { rows: 10 } });
	});

	test('a change of any column of a row is found, under a checkpoint or not', async () => {
		const texts = ['actor', 'action', 'target', 'detail', 'hash', 'prev_hash'] as const;
		const named = ['kind', 'place', 'outcome', 'request'] as const;
		for (const [seq, segment] of [
			[6n, 2],
			[9n, null]
		] as const) {
			const found = { reason: 'changed', seq: Number(seq), segment };
			const row = await database.db
				.selectFrom('audit_events')
				.selectAll()
				.where('seq', '=', seq)
				.executeTakeFirstOrThrow();
			const changes = [
				...[...texts, ...named].map((column) => ({ [column]: 'else' })),
				{ time: 1 },
				{ version: 1 },
				{ actor: `${row.actor}${row.action}`, action: '' }
			];
			for (const change of changes) {
				await tamper((db) =>
					db.updateTable('audit_events').set(change).where('seq', '=', seq).execute()
				);
				expect(await broken(), JSON.stringify(change)).toEqual(found);
				await tamper((db) =>
					db.updateTable('audit_events').set(row).where('seq', '=', seq).execute()
				);
			}
			expect(await broken()).toBeNull();
		}
	});

	test('a removed row is found: at the end, in the middle, at the beginning', async () => {
		for (const [seq, reason, segment] of [
			[10, 'cut-off', null],
			[6, 'missing', 2],
			[1, 'missing', 1]
		] as const) {
			await tamper((db) => db.deleteFrom('audit_events').where('seq', '=', BigInt(seq)).execute());
			expect(await broken()).toEqual({ reason, seq, segment });
		}
	});

	test('rows that changed places, and a row that was put in, are found', async () => {
		await tamper(async (db) => {
			const row = await db
				.selectFrom('audit_events')
				.selectAll()
				.where('seq', '=', 10n)
				.executeTakeFirstOrThrow();
			await db
				.insertInto('audit_events')
				.values({ ...row, seq: 11n, prev_hash: row.hash })
				.execute();
		});
		expect(await broken()).toEqual({ reason: 'changed', seq: 11, segment: null });
		await tamper(async (db) => {
			await db.updateTable('audit_events').set({ seq: 99 }).where('seq', '=', 2n).execute();
			await db.updateTable('audit_events').set({ seq: 2 }).where('seq', '=', 3n).execute();
			await db.updateTable('audit_events').set({ seq: 3 }).where('seq', '=', 99n).execute();
		});
		expect(await broken()).toEqual({ reason: 'changed', seq: 2, segment: 1 });
	});

	describe('cut at the end by somebody who knows how the tables hang together', () => {
		/** Removes all events after one, and adapts tip and checkpoints as far as possible without the key. */
		const cutTo = (seq: bigint): Promise<void> =>
			tamper(async (db) => {
				await db.deleteFrom('audit_events').where('seq', '>', seq).execute();
				await db.deleteFrom('audit_checkpoints').where('last_seq', '>', seq).execute();
				const { hash } = await db
					.selectFrom('audit_events')
					.select('hash')
					.where('seq', '=', seq)
					.executeTakeFirstOrThrow();
				await db
					.updateTable('audit_tip')
					.set({ seq, hash, checkpointed: (seq / 4n) * 4n })
					.execute();
			});

		test('is found by the end alone, also after more was written', async () => {
			rmSync(outside(), { recursive: true });
			audit = createAudit(database.db, key, { segmentRows: SEGMENT });
			await cutTo(7n);
			expect(await broken()).toEqual({ reason: 'end-changed', seq: 8, segment: null });
			for (let i = 0; i < 5; i += 1) await audit.append({ actor: 'later', action: 'rpc.test' });
			expect(await broken()).toEqual({ reason: 'end-changed', seq: 8, segment: null });
			await tamper((db) =>
				db.updateTable('audit_tip').set({ mac: null, broken_at: null }).execute()
			);
			expect(await broken()).toMatchObject({ reason: 'end-changed' });
		});

		test('is found by what is kept outside, also with an end that was right once', async () => {
			const seven = createAudit(database.db, key, { segmentRows: 1000 });
			await emptyLog(database);
			for (let i = 0; i < 7; i += 1) await seven.append({ actor: 'a', action: 'rpc.test' });
			const old = await database.db.selectFrom('audit_tip').selectAll().executeTakeFirstOrThrow();
			for (let i = 0; i < 3; i += 1) await seven.append({ actor: 'a', action: 'rpc.test' });
			audit = createAudit(database.db, key, { dataDir: database.dataDir });
			expect(openRecord(database.dataDir).putAway(new Date())).toMatch(/audit-before/);
			await audit.keepOutside();
			await tamper(async (db) => {
				await db.deleteFrom('audit_events').where('seq', '>', 7n).execute();
				await db.updateTable('audit_tip').set(old).execute();
			});
			expect(await broken()).toEqual({ reason: 'cut-off', seq: 8, segment: null });
			// The outside copy does not follow the truncated log.
			await audit.keepOutside();
			expect(await broken()).toEqual({ reason: 'cut-off', seq: 8, segment: null });
			for (let i = 0; i < 6; i += 1) await audit.append({ actor: 'later', action: 'rpc.test' });
			await audit.keepOutside();
			expect(await broken()).toEqual({ reason: 'changed', seq: 10, segment: null });
		});

		test('to nothing at all is found by what is kept outside', async () => {
			await emptyLog(database);
			expect(await broken()).toMatchObject({ reason: 'checkpoint-missing', segment: 1 });
			rmSync(join(outside(), 'seals.jsonl'));
			expect(await broken()).toEqual({ reason: 'cut-off', seq: 1, segment: null });
		});
	});

	test('a checkpoint that was changed, removed, replaced or marked is found by its number', async () => {
		const checkpoint = await database.db
			.selectFrom('audit_checkpoints')
			.selectAll()
			.where('number', '=', 2n)
			.executeTakeFirstOrThrow();
		const set = (change: Record<string, unknown>) =>
			tamper((db) =>
				db.updateTable('audit_checkpoints').set(change).where('number', '=', 2n).execute()
			);
		const changed = { reason: 'checkpoint-changed', seq: null, segment: 2 };
		for (const change of [
			{ last_seq: 7, rows: 3 },
			{ last_hash: 'a' },
			{ first_time: 1 },
			{ created_at: 1 },
			{ previous: '' },
			{ mac: 'b'.repeat(64) },
			{ dropped_at: 5, drop_mac: 'c'.repeat(64) }
		]) {
			await set(change);
			expect(await broken(), JSON.stringify(change)).toEqual(changed);
			await set(checkpoint);
		}
		expect(await broken()).toBeNull();
		await tamper((db) => db.deleteFrom('audit_checkpoints').where('number', '=', 1n).execute());
		expect(await broken()).toEqual({ reason: 'checkpoint-missing', seq: null, segment: 1 });
		await tamper((db) => db.deleteFrom('audit_checkpoints').execute());
		expect(await broken()).toMatchObject({ reason: 'checkpoint-missing', segment: 1 });
	});

	test('writes each checkpoint outside once, when the server and the command line do at the same moment', async () => {
		rmSync(outside(), { recursive: true });
		const others = [open(await database.openAnother()), open(await database.openAnother())];
		await Promise.all([audit, ...others].map((one) => one.keepOutside()));
		const lines = readFileSync(join(outside(), 'seals.jsonl'), 'utf8').trim().split('\n');
		expect(lines.map((line) => (JSON.parse(line) as { number: number }).number)).toEqual([1, 2]);
	});

	test('copies outside that differ or cannot be read are found', async () => {
		const file = join(outside(), 'seals.jsonl');
		const text = readFileSync(file, 'utf8');
		expect(text.trim().split('\n')).toHaveLength(2);
		writeFileSync(file, text.replace(/"mac":"./g, '"mac":"x'));
		expect(await broken()).toEqual({ reason: 'checkpoint-differs', seq: null, segment: 1 });
		writeFileSync(file, `${text}{"number":\n`);
		expect(await broken()).toEqual({ reason: 'copy-unreadable', seq: 3, segment: null });
		// A line that a killed process did not write is written later.
		writeFileSync(file, text.slice(0, text.indexOf('\n') + 1));
		expect(await audit.verify()).toMatchObject({ ok: true, checked: { copies: 1 } });
		await audit.keepOutside();
		expect(readFileSync(file, 'utf8')).toBe(text);
		writeFileSync(file, text.slice(0, -20));
		expect(await audit.verify()).toMatchObject({ ok: true, checked: { copies: 1 } });
		await audit.keepOutside();
		expect(readFileSync(file, 'utf8')).toBe(text);
	});

	test('a file of the last event that cannot be read is found, and is not written over', async () => {
		const file = join(outside(), 'end.json');
		const whole = readFileSync(file, 'utf8');
		for (const text of ['', 'x', whole.slice(0, -1)]) {
			writeFileSync(file, text);
			expect(await broken()).toEqual({ reason: 'copy-unreadable', seq: null, segment: null });
			await audit.append({ actor: 'ada', action: 'rpc.test' });
			await expect(audit.keepOutside()).rejects.toThrow(/end\.json cannot be read/);
			expect((await audit.status()).copyProblem).toMatch(/end\.json cannot be read/);
			expect(readFileSync(file, 'utf8')).toBe(text);
		}
		rmSync(file);
		await audit.keepOutside();
		expect(await broken()).toBeNull();
		expect((await audit.status()).copyProblem).toBeNull();
	});

	test('a copy that a full disk broke off is written whole once there is room, and called so', async () => {
		// A file cannot replace a folder: the first file is written, and the next is not.
		const accounts = join(outside(), 'accounts.json');
		rmSync(accounts);
		mkdirSync(accounts);
		await audit.append({ actor: 'ada', action: 'rpc.test' });
		const next = open();
		await expect(next.keepOutside()).rejects.toMatchObject({
			path: expect.stringContaining('accounts.json') as string
		});
		expect((await next.status()).copyProblem).toMatch(
			/accounts\.json\S* cannot be used: it is a folder/
		);
		rmSync(accounts, { recursive: true });
		await next.keepOutside();
		expect(openRecord(database.dataDir).accounts()).not.toBeNull();
		expect((await next.status()).copyProblem).toBeNull();
	});

	test('a chain written anew under another key is found', async () => {
		await emptyLog(database);
		const forger = createAudit(database.db, randomBytes(32));
		await forger.append({ actor: 'nobody', action: 'rpc.nothing' });
		expect(await forger.verify()).toMatchObject({ ok: true });
		rmSync(outside(), { recursive: true });
		expect(await broken()).toEqual({ reason: 'changed', seq: 1, segment: null });
	});

	test('adds a checkpoint over what is old, and drops whole segments whose checkpoints stay as proof', async () => {
		expect(await audit.checkpointOlderThan(0)).toBe(false);
		expect(await audit.checkpointOlderThan(Date.now() + 1000)).toBe(true);
		expect(await audit.checkpointOlderThan(Date.now() + 1000)).toBe(false);
		expect(await audit.segments(1)).toMatchObject([{ number: 3, first: 9, last: 10, rows: 2 }]);
		expect(await audit.dropOlderThan(0, 'configuration', null)).toEqual({
			segments: null,
			rows: 0,
			unsent: null
		});
		expect(await audit.dropOlderThan(Date.now() + 1000, 'ada', null)).toEqual({
			segments: [1, 3],
			rows: 10,
			unsent: null
		});
		expect(
			(await audit.list()).map(({ actor, action, detail }) => [actor, action, detail])
		).toEqual([['ada', 'audit.dropped', expect.objectContaining({ rows: 10 })]]);
		expect(await audit.segments(9)).toMatchObject([
			{ number: 3, droppedAt: expect.any(Number) as number },
			{ number: 2, droppedAt: expect.any(Number) as number },
			{ number: 1, droppedAt: expect.any(Number) as number }
		]);
		await audit.append({ actor: 'x', action: 'rpc.test' });
		await audit.keepOutside();
		expect(await audit.verify()).toMatchObject({
			ok: true,
			checked: { rows: 2, from: 11, to: 12, segments: 3, dropped: 3, copies: 3 }
		});
		await tamper((db) => db.deleteFrom('audit_events').where('seq', '=', 11n).execute());
		expect(await broken()).toEqual({ reason: 'missing', seq: 11, segment: null });
	});

	test('drops many segments, some at a time', async () => {
		for (let i = 0; i < 90; i += 1) await audit.append({ actor: 'many', action: 'rpc.test' });
		expect(await audit.dropOlderThan(Date.now() + 1000, 'ada', null)).toEqual({
			segments: [1, 25],
			rows: 100,
			unsent: null
		});
		expect((await audit.list({ action: 'audit.dropped' })).map(({ target }) => target)).toEqual([
			'segments 21 to 25',
			'segments 1 to 20'
		]);
		expect(await broken()).toBeNull();
	});

	test('a segment that only seems to be dropped is found', async () => {
		await tamper(async (db) => {
			await db.deleteFrom('audit_events').where('seq', '<=', 4n).execute();
		});
		expect(await broken()).toEqual({ reason: 'missing', seq: 1, segment: 1 });
		await tamper((db) =>
			db.updateTable('audit_checkpoints').set({ dropped_at: 9 }).where('number', '=', 1n).execute()
		);
		expect(await broken()).toEqual({ reason: 'checkpoint-changed', seq: null, segment: 1 });
	});

	test('goes on from rows of the first form, whose change is found too', async () => {
		await emptyLog(database);
		rmSync(outside(), { recursive: true });
		const hashes = createHashes([{ key, until: null }]);
		let previous = '';
		await tamper(async (db) => {
			for (let seq = 1n; seq <= 3n; seq += 1n) {
				const facts = { actor: 'a', action: 'sign-in', target: null, detail: '{}' };
				const named = { kind: 'sign-in', outcome: 'done', place: null, request: null } as const;
				const row = { version: 1n, seq, time: 7n, ...facts, ...named, state: null };
				const hash = hashes.row(row, previous);
				await db
					.insertInto('audit_events')
					.values({ ...row, prev_hash: previous, hash })
					.execute();
				await db.updateTable('audit_tip').set({ seq, hash }).execute();
				previous = hash;
			}
		});
		expect(await broken()).toBeNull();
		await audit.append({ actor: 'b', action: 'rpc.test' });
		expect(await broken()).toBeNull();
		expect(await audit.segments(1)).toMatchObject([{ number: 1, first: 1, last: 4 }]);
		await tamper((db) =>
			db.updateTable('audit_events').set({ outcome: 'refused' }).where('seq', '=', 2n).execute()
		);
		expect(await broken()).toEqual({ reason: 'changed', seq: 2, segment: 1 });
	});

	test('rows say kind, place, outcome and the request that they come from', async () => {
		await withinRequest('request-7', async () => {
			await audit.append({ actor: 'a', action: 'sign-in.refused' });
			await audit.append({ actor: 'a', action: 'rpc.sendrawtransaction', target: 'ALPHA' });
			await audit.append({ actor: 'engine', action: 'migration.done', detail: { chain: 'BETA' } });
		});
		await audit.append({ actor: 'a', action: 'coin.disabled', place: 'mm2', outcome: 'failed' });
		expect((await audit.list({ limit: 4 })).reverse()).toMatchObject([
			{ kind: 'sign-in', place: null, outcome: 'refused', request: 'request-7' },
			{ kind: 'calls', place: 'ALPHA', outcome: 'asked', request: 'request-7' },
			{ kind: 'migrations', place: 'BETA', outcome: 'done', request: null },
			{ kind: 'trading', place: 'mm2', outcome: 'failed', request: null }
		]);
	});

	test('keeps money whole, text as it is, and secrets out', async () => {
		const wallet = `U${'r9'.repeat(25)}K`;
		await audit.append({
			actor: 'x\0y\ud800',
			action: 'rpc.test',
			target: `https://canary-0:canary-1@host/ and /join?token=canary-2-canary-2-canary`,
			detail: {
				satoshi: 9_007_199_254_740_993n,
				tokenid: 'kept',
				nul: 'a\0b',
				half: '\ud800',
				password: 'canary-1',
				walletPassphrase: 'canary-2',
				nested: { privkey: 'canary-3', private_key: 'canary-4', list: [{ wif: 'canary-5' }] },
				clientSecret: 'canary-6',
				apiToken: 'canary-7',
				cookie: 'canary-8',
				authorization: 'canary-9',
				pin: 'canary-10',
				said: `Basic canaryYWJjZGVm, kdk_canarycanarycanary1 password=canary-11 ${wallet}`
			}
		});
		const [row] = await audit.list({ limit: 1 });
		expect(row?.detail).toEqual({
			satoshi: '9007199254740993',
			tokenid: 'kept',
			nul: 'a\0b',
			half: '\ud800',
			nested: { list: [{}] },
			said: 'Basic ***, kdk_*** password=*** ***'
		});
		expect(row?.actor).toBe('x\u{2400}y\ufffd');
		expect(row?.target).toBe('https://***@host/ and /join?token=***');
		const raw = await database.db
			.selectFrom('audit_events')
			.select(['actor', 'target', 'detail', 'place'])
			.execute();
		expect(JSON.stringify(raw)).not.toContain('canary');
		expect(await audit.verify()).toMatchObject({ ok: true });
	});

	test('keeps no server from ending while a slow database verifies it', async () => {
		const slow = Promise.withResolvers<null>();
		const slowed = database.db.withPlugin({
			transformQuery: ({ node }) => node,
			async transformResult({ result }) {
				await slow.promise;
				return result;
			}
		});
		const watched = createAudit(slowed, key);
		const verified = watched.check();
		const began = performance.now();
		await watched.stop();
		expect(performance.now() - began).toBeLessThan(5_000);
		slow.resolve(null);
		expect((await verified).verdict).toMatchObject({ ok: true });
	});

	test('is compared with the rows by one run at a time while the database is slow', async () => {
		const HALF_A_MINUTE = 30_000;
		let queries = 0;
		const slow = Promise.withResolvers<null>();
		const slowed = database.db.withPlugin({
			transformQuery({ node }) {
				queries += 1;
				return node;
			},
			async transformResult({ result }) {
				await slow.promise;
				return result;
			}
		});
		/** Lets time pass for the timers, and whatever they start begin. */
		const pass = async (ms: number): Promise<number> => {
			vi.advanceTimersByTime(ms);
			await new Promise(setImmediate);
			return queries;
		};
		vi.useFakeTimers({
			toFake: ['setInterval', 'setTimeout', 'clearInterval', 'clearTimeout']
		});
		const watched = createAudit(slowed, key);
		try {
			watched.watch({
				keepDays: null,
				exported: () => Promise.resolve(null),
				doubt: () => Promise.resolve(0),
				onHeldBack: () => undefined,
				onError: (error) => expect.unreachable(String(error))
			});
			const begun = await pass(HALF_A_MINUTE);
			expect(begun).toBeGreaterThan(0);
			expect(await pass(4 * HALF_A_MINUTE)).toBe(begun);
			slow.resolve(null);
			await expect.poll(async () => (await watched.status()).rows).not.toBeNull();
			const done = queries;
			await expect.poll(() => pass(HALF_A_MINUTE)).toBeGreaterThan(done);
		} finally {
			vi.useRealTimers();
			slow.resolve(null);
			await watched.stop();
		}
	});
});

describeOnBothDatabases('events that are old', (database) => {
	const DAY = 24 * 60 * 60 * 1000;

	/** An empty log with one event in each segment, by a clock that the test advances. */
	async function world() {
		await emptyLog(database);
		const { db } = database;
		let now = Date.now();
		let steady = 0;
		const audit = createAudit(db, randomBytes(32), { clock: () => now, segmentRows: 1 });
		const heldBack: number[] = [];
		const act = () => audit.append({ actor: 'ada', action: 'rpc.getinfo' });
		return {
			act,
			heldBack,
			/** Moves the wall clock alone. */
			jump: (ms: number) => void (now += ms),
			pass(ms: number): void {
				now += ms;
				steady += ms;
			},
			/** The retention of a process that starts now. */
			async start(exported: () => Promise<bigint | null> = () => Promise.resolve(null)) {
				const doubt = createClockDoubt(
					() => now,
					() => steady
				);
				await doubt(db);
				return createRetention(
					{ db, drop: audit.dropOlderThan, clock: () => now },
					{ keepDays: 100, exported, doubt, onHeldBack: (segment) => heldBack.push(segment) }
				);
			},
			dropped: async () => (await audit.status()).dropped
		};
	}

	test('are not dropped by a clock that is suddenly far ahead, before a day has shown that it is right', async () => {
		const { act, jump, pass, start, dropped } = await world();
		await act();
		const usual = await start();
		jump(400 * DAY);
		await usual();
		expect(await dropped()).toBe(0);
		// The same after a restart, also once the process has recorded events by the wrong clock.
		const started = await start();
		await act();
		await started();
		expect(await dropped()).toBe(0);
		pass(DAY / 2);
		await usual();
		await started();
		expect(await dropped()).toBe(0);
		pass(DAY);
		await usual();
		expect(await dropped()).toBe(1);
	});

	test('are not dropped by a server that starts after an event of a clock that is suddenly far ahead', async () => {
		const { act, jump, pass, start, dropped } = await world();
		await act();
		jump(400 * DAY);
		// The event of a command or of another server.
		await act();
		const started = await start();
		await started();
		expect(await dropped()).toBe(0);
		pass(DAY / 2);
		await act();
		const later = await start();
		for (const retain of [started, later]) await retain();
		expect(await dropped()).toBe(0);
		pass(DAY);
		await started();
		expect(await dropped()).toBe(1);
	});

	test('are kept for an export that has not sent them, which is said once for each segment', async () => {
		const { act, pass, start, dropped, heldBack } = await world();
		await act();
		await act();
		let sent = 0n;
		const retain = await start(() => Promise.resolve(sent));
		pass(102 * DAY);
		await retain();
		await retain();
		expect([await dropped(), heldBack]).toEqual([0, [1]]);
		sent = 1n;
		await retain();
		await retain();
		expect([await dropped(), heldBack]).toEqual([1, [1, 2]]);
	});
});

describeOnBothDatabases('the tables of the audit log', (database) => {
	test('take no change and no removal but that of a dropped segment', async () => {
		const { db } = database;
		const audit = createAudit(db, randomBytes(32), { segmentRows: 2 });
		for (let i = 0; i < 5; i += 1) await audit.append({ actor: 'x', action: 'rpc.y' });
		const [row] = await db.selectFrom('audit_events').selectAll().orderBy('seq').execute();
		const [checkpoint] = await db
			.selectFrom('audit_checkpoints')
			.selectAll()
			.orderBy('number')
			.execute();
		const refused = [
			db.updateTable('audit_events').set({ actor: 'z' }),
			db.deleteFrom('audit_events'),
			db.deleteFrom('audit_events').where('seq', '=', 1n),
			db.insertInto('audit_events').values({ ...row!, actor: 'z' }),
			db.updateTable('audit_checkpoints').set({ rows: 1 }),
			db.updateTable('audit_checkpoints').set({ dropped_at: 1, mac: 'z' }),
			db.deleteFrom('audit_checkpoints'),
			db.insertInto('audit_checkpoints').values(checkpoint!),
			db.updateTable('audit_tip').set({ seq: 1 }),
			db.updateTable('audit_tip').set({ seq: 9 }),
			db.deleteFrom('audit_tip')
		];
		for (const query of refused) {
			await expect(query.execute(), query.compile().sql).rejects.toThrow(
				/append-only|a checkpoint (does not change|stays)/
			);
		}
		await expect(
			db.dialect === 'sqlite'
				? sql`insert or replace into audit_events select * from audit_events where seq = 2`.execute(
						db
					)
				: sql`truncate audit_events`.execute(db)
		).rejects.toThrow(/append-only/);
		expect(await audit.verify()).toMatchObject({ ok: true, checked: { rows: 5, segments: 2 } });
	});
});

describeOnBothDatabases('a data folder with another key', (database) => {
	test('is refused before anything is written; a damaged log is not', async () => {
		const auth = await authOver(database);
		for (let i = 0; i < 3; i += 1) await auth.audit.append({ actor: 'x', action: 'rpc.test' });
		const open = (secretKey?: string) => authOver(database, { secretKey });
		await expect(open('another key, thirty-two letters long')).rejects.toMatchObject({
			code: 'secret.key-of-another'
		});
		await tamperWith(database, async (db) => {
			await db.updateTable('audit_events').set({ actor: 'y' }).where('seq', '=', 1n).execute();
			await db.updateTable('audit_tip').set({ mac: 'gone' }).execute();
		});
		const again = await open();
		expect(await again.audit.verify()).toMatchObject({ ok: false, seq: 1, reason: 'changed' });
	});
});
