/** Caches prepared statements: preparing one again took longer than most of them run. */
import type SqliteDatabase from 'better-sqlite3';
import type { SqliteDatabase as Preparing, SqliteStatement } from 'kysely';
import { LRUCache } from 'lru-cache';

/** Enough for the statements of pages, lists and jobs; SQLite holds some kilobytes for each. */
const MOST = 400;
/** Longer texts are multi-row inserts, whose number of rows differs each time. */
const LONGEST = 8_000;

/** The database as Kysely uses it, with a counter of changes. */
interface StatementCache extends Preparing {
	/** Returns another number whenever a statement has changed rows since. */
	changes(): number;
}

/**
 * Wraps a database so that statements with the same text are prepared once. SQLite itself re-prepares a
 * statement after a schema change (https://www.sqlite.org/c3ref/step.html, SQLITE_SCHEMA).
 */
export function cacheStatements(database: SqliteDatabase.Database): StatementCache {
	const kept = new LRUCache<string, SqliteStatement>({ max: MOST });
	let changes = 0;

	function prepare(text: string): SqliteStatement {
		const statement = database.prepare(text);
		return {
			reader: statement.reader,
			all(values) {
				const rows = statement.all(values);
				if (!statement.readonly && rows.length > 0) changes += 1;
				return rows;
			},
			run(values) {
				const told = statement.run(values);
				if (told.changes > 0) changes += 1;
				return told;
			},
			iterate(values) {
				if (!statement.readonly) changes += 1;
				// A statement is busy while its rows are iterated, so it cannot be a cached one.
				return database.prepare(text).iterate(values);
			}
		};
	}

	return {
		changes: () => changes,
		prepare(text) {
			const known = kept.get(text);
			if (known !== undefined) return known;
			const statement = prepare(text);
			if (text.length <= LONGEST) kept.set(text, statement);
			return statement;
		},
		close: () => database.close()
	};
}
