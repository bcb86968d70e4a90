import { sql, type QueryExecutorProvider, type RawBuilder } from 'kysely';
import type { DatabaseDialect } from './dialect.ts';

interface OpenDatabase extends QueryExecutorProvider {
	readonly dialect: DatabaseDialect;
}

/** Current time of PostgreSQL in Unix milliseconds, also within a transaction that began earlier. */
const postgresNow = sql<bigint>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`;

/** Returns a clock that all servers of the database share, in Unix milliseconds; undefined for SQLite. */
export function databaseClock(db: OpenDatabase): (() => Promise<number>) | undefined {
	if (db.dialect === 'sqlite') return undefined;
	return async () => {
		const { rows } = await sql<{ at: bigint }>`select ${postgresNow} as at`.execute(db);
		return Number(rows[0]!.at);
	};
}

/**
 * Returns a function for the current time within a query, in Unix milliseconds.
 * @param clock by default the clock of PostgreSQL, which all servers share, or of this machine with SQLite
 */
export function queryNow(
	{ dialect }: Pick<OpenDatabase, 'dialect'>,
	clock?: () => number
): () => RawBuilder<bigint> {
	if (clock === undefined && dialect === 'postgres') return () => postgresNow;
	return () => sql<bigint>`cast(${BigInt((clock ?? Date.now)())} as bigint)`;
}
