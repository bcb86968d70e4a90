/** The database layer with a lasting lock and a full disk, and the kind of error that it reports. */
import { copyFileSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { sql, type Transaction } from 'kysely';
import { describe, expect, test } from 'vitest';
import { databaseErrorMessage } from '#lib/messages/database.ts';
import { openIndex } from '#lib/server/chains/indexer/open.ts';
import { openAsIs, openDatabase } from '#lib/server/database.ts';
import { databaseErrorKind } from '#lib/server/platform/database/databaseError.ts';
import { createReadiness } from '#lib/server/readiness.ts';
import type { Schema } from '#lib/server/schema.ts';
import { describeOnBothDatabases, describeOnPostgres } from '../support/database.ts';

describe('a full disk', () => {
	test('takes back what it had no room for, says so, and takes writes again when there is room', async () => {
		const dataDir = mkdtempSync(join(tmpdir(), 'komodeck-full-'));
		const db = await openDatabase({ dataDir });
		try {
			const pages = await sql<{ page_count: bigint }>`pragma page_count`.execute(db);
			await sql
				.raw(`pragma max_page_count = ${(pages.rows[0]?.page_count ?? 0n) + 4n}`)
				.execute(db);
			const fill = (key: string) =>
				db.transaction().execute(async (trx) => {
					await trx.insertInto('throttle').values({ key, points: 0, expires_at: 0 }).execute();
					await trx
						.insertInto('throttle')
						.values({ key: `${key} ${'x'.repeat(100_000)}`, points: 0, expires_at: 0 })
						.execute();
				});
			const refused = await fill('half').catch((error: unknown) => error);
			expect(databaseErrorKind(refused)).toBe('full');
			const kept = await db.selectFrom('throttle').select('key').execute();
			expect(kept).toEqual([]);
			await sql`pragma max_page_count = 1000000`.execute(db);
			await fill('whole');
			expect(await db.selectFrom('throttle').select('key').execute()).toHaveLength(2);
		} finally {
			await db.close();
			rmSync(dataDir, { recursive: true, force: true });
		}
	});
});

describe('a lock that stays', () => {
	test('holds up the first statement for the timeout and no statement behind it', async () => {
		const dataDir = mkdtempSync(join(tmpdir(), 'komodeck-lock-'));
		const db = await openDatabase({ dataDir, timeout: 60 });
		const other = new SqliteDatabase(join(dataDir, 'komodeck.sqlite'));
		const write = (key: string) =>
			db.insertInto('throttle').values({ key, points: 0, expires_at: 0 }).execute();
		try {
			other.exec('begin immediate');
			const beforeOne = performance.now();
			await expect(write('one')).rejects.toThrow();
			const began = performance.now();
			const all = await Promise.allSettled(Array.from({ length: 50 }, (_, at) => write(`k${at}`)));
			const took = performance.now() - began;
			expect(all.map((one) => one.status === 'rejected' && databaseErrorKind(one.reason))).toEqual(
				Array.from({ length: 50 }, () => 'locked')
			);
			// Waiting separately, they would have taken fifty times as long as one.
			expect(took).toBeLessThan(20 * (began - beforeOne));
			expect(await db.selectFrom('throttle').selectAll().execute()).toEqual([]);
			other.exec('rollback');
			await write('free');
			expect(await db.selectFrom('throttle').selectAll().execute()).toHaveLength(1);
		} finally {
			other.close();
			await db.close();
			rmSync(dataDir, { recursive: true, force: true });
		}
	});
});

describe('a file that is removed or replaced while it is open', () => {
	test('is noticed before anything is written into nothing, and is good again when it is back', async () => {
		const dataDir = mkdtempSync(join(tmpdir(), 'komodeck-replaced-'));
		const file = join(dataDir, 'komodeck.sqlite');
		let db = await openDatabase({ dataDir });
		const write = (key: string) =>
			db.insertInto('throttle').values({ key, points: 0, expires_at: 0 }).execute();
		const keys = async () => (await db.selectFrom('throttle').select('key').execute()).length;
		const kind = async (work: Promise<unknown>) =>
			databaseErrorKind(await work.then(() => null).catch((error: unknown) => error));
		try {
			await write('before');
			renameSync(file, `${file}.away`);
			expect(await kind(write('removed'))).toBe('replaced');
			renameSync(`${file}.away`, file);
			await write('back');
			expect(await keys()).toBe(2);
			// It happens in the middle of a transaction: nothing of it is kept.
			const half = db.transaction().execute(async (trx) => {
				await trx
					.insertInto('throttle')
					.values({ key: 'half', points: 0, expires_at: 0 })
					.execute();
				renameSync(file, `${file}.away`);
			});
			expect(await kind(half)).toBe('replaced');
			copyFileSync(`${file}.away`, file);
			expect(await kind(write('another file'))).toBe('replaced');
			expect(db.changeStamp()).toBeNull();
			await db.close();
			// After a restart it continues with the existing data.
			db = await openDatabase({ dataDir });
			await write('after');
			expect(await keys()).toBeGreaterThan(0);
		} finally {
			await db.close();
			rmSync(dataDir, { recursive: true, force: true });
		}
	});

	test('is noticed when only its log was taken away', async () => {
		const dataDir = mkdtempSync(join(tmpdir(), 'komodeck-log-'));
		const db = await openDatabase({ dataDir });
		const write = () =>
			db.insertInto('throttle').values({ key: 'k', points: 0, expires_at: 0 }).execute();
		try {
			rmSync(join(dataDir, 'komodeck.sqlite-wal'));
			const refused = await write().catch((error: unknown) => error);
			expect(databaseErrorKind(refused)).toBe('replaced');
		} finally {
			await db.close();
			rmSync(dataDir, { recursive: true, force: true });
		}
	});
});

describe('a server that is reached by a socket in a folder', () => {
	test('is gone while the socket is', async () => {
		const folder = mkdtempSync(join(tmpdir(), 'komodeck-socket-'));
		const db = openAsIs({ url: `postgres:///komodeck?host=${folder}`, dataDir: folder });
		try {
			const refused = await sql`select 1`.execute(db).catch((error: unknown) => error);
			expect(databaseErrorKind(refused)).toBe('gone');
		} finally {
			await db.close();
			rmSync(folder, { recursive: true, force: true });
		}
	});
});

describeOnPostgres('a server that froze while it tried out the database', (database) => {
	test('does not keep the others from being ready', async () => {
		const { promise: frozen, resolve: thaw } = Promise.withResolvers<undefined>();
		const { promise: written, resolve: wrote } = Promise.withResolvers<undefined>();
		const first = new Proxy(database.db, {
			get(target, name) {
				const value: unknown = Reflect.get(target, name, target);
				if (name !== 'transaction') return value;
				return () => ({
					execute: (work: (trx: Transaction<Schema>) => Promise<void>) =>
						target.transaction().execute(async (trx) => {
							await work(trx);
							wrote(undefined);
							await frozen;
						})
				});
			}
		});
		const index = await openIndex(database.options);
		try {
			const trying = createReadiness(first, index)();
			await written;
			expect(await createReadiness(await database.openAnother(), index)()).toBeNull();
			thaw(undefined);
			expect(await trying).toBeNull();
		} finally {
			thaw(undefined);
			await index.close();
		}
	});
});

describeOnBothDatabases('a database that another release has changed', (database) => {
	test('is named with what to do next, for a table and for a column, and is used again afterwards', async () => {
		const { db, options } = database;
		const index = await openIndex(options);
		const readiness = createReadiness(db, index, () => Infinity);
		const kind = (work: Promise<unknown>): Promise<unknown> =>
			work.then(() => null, databaseErrorKind);
		const read = () => kind(db.selectFrom('throttle').select('points').execute());
		const write = () =>
			kind(db.insertInto('throttle').values({ key: 'k', points: 0, expires_at: 0 }).execute());
		expect(await readiness()).toBeNull();

		await sql`alter table throttle rename column points to later_points`.execute(db);
		expect([await read(), await write()]).toEqual(['schema', 'schema']);
		await sql`alter table throttle rename column later_points to points`.execute(db);
		await sql`alter table throttle rename to later_throttle`.execute(db);
		expect([await read(), await write()]).toEqual(['schema', 'schema']);
		expect(await readiness()).toBe('the database lacks a table or a column of this release');
		expect(databaseErrorMessage('schema').next).toMatch(/start that release .+ restore a backup/);
		await sql`alter table later_throttle rename to throttle`.execute(db);
		expect([await read(), await readiness()]).toEqual([null, null]);
		// A later release may also need a value that this one does not know of.
		await sql`drop table throttle`.execute(db);
		await sql`create table throttle (key text primary key, points bigint not null,
			expires_at bigint not null, later text not null)`.execute(db);
		expect([await read(), await write()]).toEqual([null, 'schema']);
		await index.close();
	});
});

describe('what counts as a database error', () => {
	test.each([
		[Object.assign(new Error('x'), { code: 'SQLITE_BUSY_SNAPSHOT' }), 'locked'],
		[Object.assign(new Error('x'), { code: 'SQLITE_FULL' }), 'full'],
		[Object.assign(new Error('x'), { code: 'SQLITE_IOERR_WRITE' }), 'gone'],
		[Object.assign(new Error('x'), { code: '53100' }), 'full'],
		[Object.assign(new Error('x'), { code: '40001' }), 'locked'],
		[Object.assign(new Error('x'), { code: '57014' }), 'canceled'],
		[Object.assign(new Error('x'), { code: '57P01' }), 'gone'],
		[Object.assign(new Error('x'), { code: '08006' }), 'gone'],
		[Object.assign(new Error('x'), { code: '28P01' }), 'refused'],
		[Object.assign(new Error('x'), { code: '42P01' }), 'schema'],
		[Object.assign(new Error('x'), { code: '42703' }), 'schema'],
		[Object.assign(new Error('x'), { code: '23502' }), 'schema'],
		[Object.assign(new Error('x'), { code: 'SQLITE_CONSTRAINT_NOTNULL' }), 'schema'],
		[Object.assign(new Error('near "x"'), { code: 'SQLITE_ERROR' }), null],
		[Object.assign(new Error('x'), { code: 'CERT_HAS_EXPIRED' }), 'refused'],
		[Object.assign(new Error('x'), { code: 'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA' }), 'refused'],
		[Object.assign(new Error('x'), { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }), 'refused'],
		[new Error('The server does not support SSL connections'), 'refused'],
		[Object.assign(new Error('x'), { code: 'ECONNREFUSED', syscall: 'connect' }), 'gone'],
		[Object.assign(new Error('x'), { code: 'SQLITE_IOERR_SHMSIZE' }), 'full'],
		[Object.assign(new Error('x'), { code: '53300' }), 'overloaded'],
		[Object.assign(new Error('x'), { code: '53200' }), 'overloaded'],
		[Object.assign(new Error('x'), { code: '25P03' }), 'gone'],
		[Object.assign(new Error('x'), { code: 'EMFILE', syscall: 'connect' }), 'gone'],
		[Object.assign(new Error('x'), { code: 'EMFILE', syscall: 'open' }), null],
		[new Error('Connection terminated unexpectedly'), 'gone'],
		[new Error('y', { cause: Object.assign(new Error('x'), { code: '55P03' }) }), 'locked'],
		[Object.assign(new Error('x'), { code: 'SQLITE_CONSTRAINT_UNIQUE' }), null],
		[Object.assign(new Error('x'), { code: '23505' }), null],
		[new Error('a mistake'), null]
	])('%s', (error, kind) => {
		expect(databaseErrorKind(error)).toBe(kind);
	});
});
