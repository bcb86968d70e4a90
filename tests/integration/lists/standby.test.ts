/** Reads of the index on a hot standby that replicates a real primary by streaming. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { VISITOR } from '#lib/server/access/identity/identity.ts';
import { createLive } from '#lib/server/api/live/live.ts';
import { indexOnStandby, openIndex, type Index } from '#lib/server/chains/indexer/open.ts';
import { openAsIs, openDatabase, type Db } from '#lib/server/database.ts';
import { createStandby, type Standby } from '#lib/server/platform/database/standby.ts';
import { createListener, type Listener } from '#lib/server/platform/database/writeNotices.ts';
import { factorsOptional } from '../../support/permissive.ts';
import { startServer, startStandby, type RunningServer } from '../../support/postgres.ts';
import { indexedChain } from '../../support/indexedChain.ts';

describe('the index on a hot standby', () => {
	const dataDir = mkdtempSync(join(tmpdir(), 'komodeck-standby-'));
	let primary: RunningServer;
	let second: RunningServer;
	let db: Db;
	let index: Index;
	let writes: Listener;
	let standby: Standby;
	let reading: Index;
	let problems: unknown[];

	const follow = (url: string): void => {
		problems = [];
		standby = createStandby({ url, db, writes, onChange: (problem) => problems.push(problem) });
		reading = indexOnStandby(index, standby);
	};
	const near = (): Promise<void> =>
		vi.waitFor(() => expect(standby.isNear).toBe(true), { timeout: 60_000, interval: 2 });
	const heightOf = async (from: Index): Promise<number> => {
		const { height } = await from
			.selectFrom('ix_chains')
			.select('height')
			.executeTakeFirstOrThrow();
		return Number(height);
	};
	const onServer = async ({ url }: RunningServer, statement: string): Promise<void> => {
		const client = new pg.Client({ connectionString: url });
		await client.connect();
		await client.query(statement);
		await client.end();
	};
	const onSecond = (statement: string): Promise<void> => onServer(second, statement);

	beforeAll(async () => {
		primary = await startServer();
		db = await openDatabase({ url: primary.url, dataDir });
		index = await openIndex({ url: primary.url, dataDir });
		await index.insertInto('ix_chains').values(indexedChain()).execute();
		second = await startStandby(primary);
		writes = createListener({ url: primary.url, db });
		await vi.waitFor(() => expect(writes.isHearing).toBe(true), { timeout: 60_000 });
	});
	afterEach(async () => {
		await reading.close();
		await standby.close();
	});
	afterAll(async () => {
		await writes.stop();
		await index.close();
		await db.close();
		await second.stop();
		await primary.stop();
		rmSync(dataDir, { recursive: true, force: true });
	});

	test('is read there, and whoever is told of a write finds it', async () => {
		follow(second.url);
		await near();
		expect(await heightOf(reading)).toBe(0);
		expect(standby.reads).toBe(1);
		const told: Promise<number>[] = [];
		// Like an open page: it reads as soon as it is notified.
		let isOpen = true;
		writes.onWord(() => isOpen && told.push(heightOf(reading)));
		for (let height = 1; height <= 20; height++) {
			const before = told.length;
			await index.updateTable('ix_chains').set({ height }).execute();
			await vi.waitFor(() => expect(told.length).toBeGreaterThan(before), { interval: 1 });
			expect(await told.at(-1)).toBe(height);
		}
		isOpen = false;
		await near();
		expect(await heightOf(reading)).toBe(20);
		expect(standby.reads).toBeGreaterThan(1);
		expect(problems).toEqual([null]);
	});

	test('is read at the primary while the standby does not get on', async () => {
		follow(second.url);
		await near();
		await onSecond('select pg_wal_replay_pause()');
		await index.updateTable('ix_chains').set({ height: 50 }).execute();
		await vi.waitFor(() => expect(standby.isNear).toBe(false), { timeout: 30_000, interval: 1 });
		const before = standby.reads;
		expect(await heightOf(reading)).toBe(50);
		expect(standby.reads).toBe(before);
		await onSecond('select pg_wal_replay_resume()');
		await near();
		expect(await heightOf(reading)).toBe(50);
		expect(standby.reads).toBe(before + 1);
	});

	test('is read at the primary for a page that was told of a write before the write was announced', async () => {
		follow(second.url);
		const live = await createLive({
			index,
			db,
			onNews: standby.written,
			sessionRule: () => Promise.resolve({ idleHours: 12, mostDays: 7 }),
			settings: () => Promise.resolve(factorsOptional)
		});
		const stream = live.open({ identity: VISITOR, address: '192.0.2.7', after: null });
		if ('full' in stream) throw new Error('No stream.');
		const told = stream.pipeThrough(new TextDecoderStream() as never).getReader();
		try {
			await near();
			await onSecond('select pg_wal_replay_pause()');
			// Without a NOTIFY, like a server that has not sent it yet.
			await onServer(primary, "update ix_chains set height = 60, state = 'behind'");
			for (let said = ''; !said.includes('"height":60');) {
				said += String((await told.read()).value);
			}
			expect(await heightOf(reading)).toBe(60);
		} finally {
			await onSecond('select pg_wal_replay_resume()');
			live.stop();
		}
		await near();
		expect(await heightOf(reading)).toBe(60);
	});

	test('is answered at the primary when the standby dies under reads, and there again when it is back', async () => {
		follow(second.url);
		await near();
		const height = await heightOf(index);
		const slow = sql<{ height: bigint }>`select height, pg_sleep(0.5) from ix_chains`;
		const under = Array.from({ length: 6 }, () => slow.execute(reading));
		await second.kill();
		for (const { rows } of await Promise.all(under)) expect(Number(rows[0]?.height)).toBe(height);
		expect(standby.isNear).toBe(false);
		expect(await heightOf(reading)).toBe(height);
		await second.crash();
		await near();
		const before = standby.reads;
		expect(await heightOf(reading)).toBe(height);
		expect(standby.reads).toBe(before + 1);
		await expect(reading.write(() => Promise.resolve())).rejects.toThrow('takes no transaction');
	});

	test('is not read at a standby that still follows the server that the primary has replaced', async () => {
		const promoted = await startStandby(primary);
		const ownDb = openAsIs({ url: promoted.url, dataDir });
		await expect(openDatabase({ url: promoted.url, dataDir })).rejects.toThrow(
			/accepts no changes: .+ name the primary/
		);
		await sql`select pg_promote()`.execute(ownDb);
		const ownIndex = await openIndex({ url: promoted.url, dataDir });
		// These writes reach the standby of the former primary only.
		for (let height = 100; height < 200; height++) {
			await index.updateTable('ix_chains').set({ height }).execute();
		}
		const ownWrites = createListener({ url: promoted.url, db: ownDb });
		await vi.waitFor(() => expect(ownWrites.isHearing).toBe(true), { timeout: 60_000 });
		problems = [];
		standby = createStandby({
			url: second.url,
			db: ownDb,
			writes: ownWrites,
			onChange: (problem) => problems.push(problem)
		});
		reading = indexOnStandby(ownIndex, standby);
		await vi.waitFor(() => expect(problems).toHaveLength(1), { timeout: 30_000 });
		await ownIndex.updateTable('ix_chains').set({ height: 77 }).execute();
		expect(await heightOf(reading)).toBe(77);
		expect(problems[0]).toMatchObject({ params: { why: 'ahead' } });
		await ownWrites.stop();
		await ownIndex.close();
		await ownDb.close();
		await promoted.stop();
	});

	test('is never read at a server that is no standby', async () => {
		follow(primary.url);
		await vi.waitFor(() => expect(problems[0]).toMatchObject({ params: { why: 'no-standby' } }), {
			timeout: 30_000
		});
		expect(await heightOf(reading)).toBe(await heightOf(index));
		expect([standby.isNear, standby.reads]).toEqual([false, 0]);
	});
});
