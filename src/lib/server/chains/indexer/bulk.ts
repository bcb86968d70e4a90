import type SqliteDatabase from 'better-sqlite3';
import { CompiledQuery, type Transaction } from 'kysely';
import type { DatabaseDialect } from '../../platform/database/dialect.ts';
import type { IndexSchema, IndexTables } from './tables.ts';

type Cell = string | number | bigint | Uint8Array | null;

/** A transaction on the index, with the kind of its database. */
export interface IndexTrx {
	trx: Transaction<IndexSchema>;
	dialect: DatabaseDialect;
	/** The connection of `trx`, for bulk inserts on SQLite; see `Index.write`. */
	sqlite?: SqliteDatabase.Database;
}

/** Values in one statement: below the limits of both databases (32,766 and 65,535). */
const VALUES = 2_000;

const statements = new Map<string, string>();

/** Returns the text of an insert of `rows` rows. Cached, because building it takes as long as running it. */
function insertText(
	dialect: DatabaseDialect,
	table: string,
	columns: readonly string[],
	rows: number,
	tail: string
): string {
	const key = `${dialect} ${table} ${columns.length} ${rows} ${tail}`;
	let text = statements.get(key);
	if (text !== undefined) return text;
	const lines: string[] = [];
	for (let row = 0; row < rows; row++) {
		const cells = columns.map((_, at) =>
			dialect === 'postgres' ? `$${row * columns.length + at + 1}` : '?'
		);
		lines.push(`(${cells.join(',')})`);
	}
	text = `insert into ${table} (${columns.join(',')}) values ${lines.join(',')} ${tail}`;
	statements.set(key, text);
	return text;
}

type InsertOne = SqliteDatabase.Statement<readonly Cell[]>;

/** Single-row inserts by connection and text: SQLite is fastest when one prepared statement runs for each row. */
const prepared = new WeakMap<SqliteDatabase.Database, Map<string, InsertOne>>();

function insertOne(
	database: SqliteDatabase.Database,
	table: string,
	columns: readonly string[],
	tail: string
): InsertOne {
	let statementsHere = prepared.get(database);
	if (!statementsHere) prepared.set(database, (statementsHere = new Map()));
	const key = `${table} ${columns.length} ${tail}`;
	let statement = statementsHere.get(key);
	if (!statement) {
		statement = database.prepare(insertText('sqlite', table, columns, 1, tail));
		statementsHere.set(key, statement);
	}
	return statement;
}

/**
 * Inserts many rows. `tail` is appended after the values, such as an `on conflict` clause; with a clause that reads
 * existing rows, `rows` must not contain the same row twice (PostgreSQL refuses that).
 */
export async function insertRows(
	{ trx, dialect, sqlite }: IndexTrx,
	table: keyof IndexTables,
	columns: readonly string[],
	rows: readonly (readonly Cell[])[],
	tail = ''
): Promise<void> {
	if (rows.length === 0) return;
	if (sqlite) {
		const statement = insertOne(sqlite, table, columns, tail);
		for (const row of rows) statement.run(row);
		return;
	}
	const chunk = Math.max(1, Math.floor(VALUES / columns.length));
	for (let at = 0; at < rows.length;) {
		// Powers of two keep the number of different statements small.
		let size = chunk;
		while (size > rows.length - at) size = Math.max(1, size >> 1);
		const part = rows.slice(at, at + size);
		const text = insertText(dialect, table, columns, size, tail);
		await trx.executeQuery(CompiledQuery.raw(text, part.flat()));
		at += size;
	}
}
