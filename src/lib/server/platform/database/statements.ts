/** Keeps prepared statements: to prepare one again took longer than most of them run. */
import type SqliteDatabase from 'better-sqlite3';
import type { SqliteDatabase as Preparing, SqliteStatement } from 'kysely';
import { LRUCache } from 'lru-cache';

/** Statements of pages, lists and jobs; SQLite holds some kilobytes for each. */
const MOST = 400;
/** Longer ones are rows that are written together, of another number each time. */
const LONGEST = 8_000;

/**
 * The database as Kysely asks it, with the statements of the same text prepared once. SQLite itself prepares one anew
 * after the schema changed (https://www.sqlite.org/c3ref/step.html, SQLITE_SCHEMA).
 */
export function keepStatements(database: SqliteDatabase.Database): Preparing {
	const kept = new LRUCache<string, SqliteStatement>({ max: MOST });

	function prepare(text: string): SqliteStatement {
		const statement = database.prepare(text);
		return {
			reader: statement.reader,
			all: (values) => statement.all(values),
			run: (values) => statement.run(values),
			// Rows that are read one by one keep their statement busy meanwhile.
			iterate: (values) => database.prepare(text).iterate(values)
		};
	}

	return {
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
