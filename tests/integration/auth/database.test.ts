import { sql, type Kysely } from 'kysely';
import { expect, test, vi } from 'vitest';
import { databaseErrorMessage } from '#lib/messages/database.ts';
import { openAsIs } from '#lib/server/database.ts';
import { databaseErrorKind } from '#lib/server/platform/database/databaseError.ts';
import { migrate } from '#lib/server/platform/database/migrate.ts';
import { describeOnBothDatabases, describeOnPostgres, isWaiting } from '../../support/database.ts';

describeOnBothDatabases('the database', (database) => {
	test('reads every whole number as bigint, sums and counts included', async () => {
		const { db } = database;
		await db
			.insertInto('throttle')
			.values([
				{ key: 'a', points: 9_007_199_254_740_993n, expires_at: null },
				{ key: 'b', points: 2n, expires_at: 1 }
			])
			.execute();
		const rows = await db.selectFrom('throttle').selectAll().orderBy('key').execute();
		expect(rows).toEqual([
			{ key: 'a', points: 9_007_199_254_740_993n, expires_at: null },
			{ key: 'b', points: 2n, expires_at: 1n }
		]);
		const sums = await db
			.selectFrom('throttle')
			.select((select) => [
				select.fn.sum<bigint>('points').as('sum'),
				select.fn.countAll<bigint>().as('count')
			])
			.executeTakeFirstOrThrow();
		expect(sums).toEqual({ sum: 9_007_199_254_740_995n, count: 2n });
	});

	test('keeps a foreign key', async () => {
		await expect(
			database.db
				.insertInto('sessions')
				.values({
					id_hash: 'x',
					account_id: 'nobody',
					created_at: 1,
					last_seen_at: 1,
					expires_at: 1,
					ends_at: 1,
					mac: ''
				})
				.execute()
		).rejects.toThrow(/foreign key/i);
	});

	test('runs a step of the schema once, and leaves nothing of one that fails', async () => {
		const { db } = database;
		let runs = 0;
		const steps = {
			'900_once': {
				async up() {
					runs += 1;
				}
			}
		};
		await Promise.all([migrate(db, steps), migrate(await database.openAnother(), steps)]);
		await migrate(db, steps);
		expect(runs).toBe(1);

		const broken = {
			'901_broken': {
				async up(trx: Kysely<unknown>) {
					await trx.schema.createTable('half').addColumn('id', 'bigint').execute();
					await sql`select * from no_such_table`.execute(trx);
				}
			}
		};
		await expect(migrate(db, broken)).rejects.toMatchObject({
			code: 'database.step-failed',
			params: { step: '901_broken' }
		});
		await expect(sql`select * from half`.execute(db)).rejects.toThrow();
	});

	test('lets two connections add to one row without losing an addition', async () => {
		const other = await database.openAnother();
		await database.db.insertInto('throttle').values({ key: 'sum', points: 0 }).execute();
		const add = (db: typeof other): Promise<void> =>
			db.transaction().execute(async (trx) => {
				await trx
					.updateTable('throttle')
					.set((set) => ({ points: set('points', '+', 1n) }))
					.where('key', '=', 'sum')
					.execute();
			});
		for (let round = 0; round < 10; round += 1) {
			await Promise.all([add(database.db), add(other), add(database.db)]);
		}
		const row = await database.db
			.selectFrom('throttle')
			.select('points')
			.where('key', '=', 'sum')
			.executeTakeFirstOrThrow();
		expect(row.points).toBe(30n);
	});
});

describeOnPostgres('a database that bounds its statements', (database) => {
	test('lets a step and who waits for it take their time, whatever bounds other statements', async () => {
		const { db } = database;
		const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db);
		const name = sql.id(rows[0]!.name);
		await sql`alter database ${name} set statement_timeout = '200ms'`.execute(db);
		const [one, two] = [openAsIs(database.options), openAsIs(database.options)];
		let runs = 0;
		const steps = {
			'902_long': {
				async up(trx: Kysely<unknown>) {
					runs += 1;
					await sql`select pg_sleep(0.5)`.execute(trx);
				}
			}
		};
		try {
			await Promise.all([migrate(one, steps), migrate(two, steps)]);
			expect(runs).toBe(1);
			await expect(sql`select pg_sleep(0.5)`.execute(one)).rejects.toSatisfy(
				(error) => databaseErrorKind(error) === 'canceled'
			);
			expect(databaseErrorMessage('canceled').next).toContain('statement_timeout');
		} finally {
			await one.close();
			await two.close();
			await sql`alter database ${name} reset statement_timeout`.execute(db);
		}
	});
});

describeOnPostgres('a step for a table that a backup reads', (database) => {
	test('lets others read the table until the backup is over, and then runs once', async () => {
		const { db } = database;
		await sql`create table read_long (id bigint)`.execute(db);
		const [holder, one, two, reader] = Array.from({ length: 4 }, () => openAsIs(database.options));
		const isHeld = Promise.withResolvers<null>();
		const isOver = Promise.withResolvers<null>();
		const waits: string[] = [];
		let runs = 0;
		const steps = {
			'903_altering': {
				async up(trx: Kysely<unknown>) {
					await sql`alter table read_long add column more bigint`.execute(trx);
					runs += 1;
				}
			}
		};
		const onWait = (step: string) => void waits.push(step);
		const read = () => sql`select id from read_long`.execute(reader!);
		const backup = holder!.transaction().execute(async (trx) => {
			await sql`select id from read_long`.execute(trx);
			isHeld.resolve(null);
			await isOver.promise;
		});
		await isHeld.promise;
		const stepped = Promise.all([migrate(one!, steps, onWait), migrate(two!, steps, onWait)]);
		try {
			for (let attempt = 0; attempt < 2; attempt += 1) {
				// One waits for the table, and the other for the one.
				await isWaiting(database, db, 2);
				expect((await read()).rows).toEqual([]);
				await vi.waitFor(() => expect(waits).toEqual(['903_altering']), 10_000);
			}
		} finally {
			isOver.resolve(null);
			await backup;
			await stepped;
			for (const each of [holder, one, two, reader]) await each!.close();
		}
		expect([runs, waits]).toEqual([1, ['903_altering']]);
		await sql`select more from read_long`.execute(db);
	});
});
