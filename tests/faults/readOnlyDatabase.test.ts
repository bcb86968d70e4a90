/**
 * A PostgreSQL database that refuses writes for a while: it was set to read-only, or its server follows another
 * one.
 */
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { databaseErrorKind } from '#lib/server/platform/database/databaseError.ts';
import { describeOnPostgres, setReadOnly } from '../support/database.ts';

/** As many connections as a pool has. */
const CONNECTIONS = 10;

describeOnPostgres('a database that is read only for a while', (database) => {
	test('is written again over new connections, while readers keep the old ones busy', async () => {
		const { db } = database;
		const keeper = await database.openAnother();
		const write = () =>
			db.insertInto('throttle').values({ key: crypto.randomUUID(), points: 0 }).execute();
		const kind = () => write().then(() => null, databaseErrorKind);
		/** // Of this many concurrent reads each has its own connection. */
		const read = () =>
			Promise.all(Array.from({ length: CONNECTIONS }, () => sql`select pg_sleep(0.1)`.execute(db)));

		// The client that makes the database read-only can still write.
		await setReadOnly(keeper, true);
		await vi.waitFor(read, { timeout: 10_000 });
		expect(await kind()).toBe('read-only');
		await setReadOnly(keeper, false, { keepConnections: true });

		let reading = true;
		const readers = (async () => {
			while (reading) await read();
		})();
		try {
			await vi.waitFor(async () => expect(await kind()).toBe(null), {
				timeout: 20_000,
				interval: 50
			});
			await vi.waitFor(
				async () => {
					const kinds = await Promise.all(Array.from({ length: CONNECTIONS }, kind));
					expect(kinds).toEqual(Array(CONNECTIONS).fill(null));
				},
				{ timeout: 20_000, interval: 50 }
			);
		} finally {
			reading = false;
			await readers;
		}
	});
});
