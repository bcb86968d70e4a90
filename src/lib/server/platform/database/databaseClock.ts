import { sql } from 'kysely';
import type { Database } from './database.ts';

/** Current time of PostgreSQL in Unix milliseconds, also within a transaction that began earlier. */
export const postgresNow = sql<bigint>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`;

/** Returns a clock that all servers of the database share, in Unix milliseconds; undefined for SQLite. */
export function databaseClock<Tables>(db: Database<Tables>): (() => Promise<number>) | undefined {
	if (db.dialect === 'sqlite') return undefined;
	return async () => {
		const { rows } = await sql<{ at: bigint }>`select ${postgresNow} as at`.execute(db);
		return Number(rows[0]!.at);
	};
}
