/** Keeps prepared statements: to prepare one again took longer than most of them run. */
import type SqliteDatabase from 'better-sqlite3';
import type { SqliteDatabase as Preparing, SqliteStatement } from 'kysely';
import { LRUCache } from 'lru-cache';

/** Statements of pages, lists and jobs; SQLite holds some kilobytes for each. */
const MOST = 400;
/** Longer ones are rows that are written together, of another number each time. */
const LONGEST = 8_000;

/** What Kysely asks, and how often it changed something. */
interface KeptStatements extends Preparing {
	/** Another number than before where a statement has changed rows since. */
	changes(): number;
}

/**
 * The database as Kysely asks it, with the statements of the same text prepared once. SQLite itself prepares one anew
 * after the schema changed (https://www.sqlite.org/c3ref/step.html, SQLITE_SCHEMA).
 */
export function keepStatements(database: SqliteDatabase.Database): KeptStatements {
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
				// Rows that are read one by one keep their statement busy meanwhile.
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
