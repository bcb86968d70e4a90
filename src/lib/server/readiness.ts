/** Checks that the databases can be written and read, by writing and reading. */
import { randomUUID } from 'node:crypto';
import { sql, type QueryExecutorProvider } from 'kysely';
import { databaseUnready } from '#lib/messages/database.ts';
import type { Database } from './platform/database/database.ts';
import { databaseErrorKind } from './platform/database/databaseError.ts';
import type { ThrottleTables } from './platform/rate-limits/tables.ts';

/** How long a result is cached, in milliseconds: frequent probes cause no more work than that. */
const GOOD_FOR_MS = 1_000;
/** Length of the key that is written: with SQLite more than fits into the free space of a page. */
const PADDING = { sqlite: 8_000, postgres: 100 } as const;

async function tryOut(
	db: Database<ThrottleTables>,
	index: QueryExecutorProvider,
	key: string
): Promise<void> {
	if (db.seenDamage() !== null) throw db.seenDamage();
	await db.transaction().execute(async (trx) => {
		await trx
			.insertInto('throttle')
			.values({ key, points: 0, expires_at: 0 })
			.onConflict((conflict) => conflict.column('key').doNothing())
			.execute();
		await trx.deleteFrom('throttle').where('key', '=', key).execute();
	});
	await sql`select 1 from ix_chains limit 1`.execute(index);
}

/**
 * Returns a function that reports in a few words why the databases are not usable; null when they are.
 * @param now monotonic milliseconds
 */
export function createReadiness(
	db: Database<ThrottleTables>,
	index: QueryExecutorProvider,
	now: () => number = () => performance.now()
): () => Promise<string | null> {
	// Of this server alone: one that froze while it wrote holds its key, and others would wait for that.
	const key = `readiness ${randomUUID()} ${'-'.repeat(PADDING[db.dialect])}`;
	let asked: Promise<string | null> | null = null;
	let goodUntil = 0;
	return () => {
		if (asked === null || now() >= goodUntil) {
			goodUntil = Infinity;
			asked = tryOut(db, index, key)
				.then(
					() => null,
					(error: unknown) => {
						const kind = databaseErrorKind(error);
						if (kind === null) throw error;
						return databaseUnready[kind];
					}
				)
				.finally(() => {
					goodUntil = now() + GOOD_FOR_MS;
				});
		}
		return asked;
	};
}
