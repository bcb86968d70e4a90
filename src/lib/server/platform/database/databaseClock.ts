import { sql } from 'kysely';
import type { Database } from './database.ts';

/** What PostgreSQL calls now, in Unix milliseconds, also within a transaction that began earlier. */
export const postgresNow = sql<bigint>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`;

/** The clock that all servers of a database share, in Unix milliseconds; undefined where there is none but their own. */
export function databaseClock<Tables>(db: Database<Tables>): (() => Promise<number>) | undefined {
	if (db.dialect === 'sqlite') return undefined;
	return async () => {
		const { rows } = await sql<{ at: bigint }>`select ${postgresNow} as at`.execute(db);
		return Number(rows[0]!.at);
	};
}
