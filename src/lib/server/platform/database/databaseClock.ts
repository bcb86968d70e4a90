import { sql } from 'kysely';
import type { Database } from './database.ts';

/** The clock that all servers of a database share, in Unix milliseconds; undefined where there is none but their own. */
export function databaseClock<Tables>(db: Database<Tables>): (() => Promise<number>) | undefined {
	if (db.dialect === 'sqlite') return undefined;
	return async () => {
		const { rows } = await sql<{ at: bigint }>`select
			cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as at`.execute(db);
		return Number(rows[0]!.at);
	};
}
