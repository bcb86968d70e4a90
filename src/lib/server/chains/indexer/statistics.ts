/**
 * Statistics for SQLite's query planner: fixed figures of a large index. Without any, the planner follows the sort
 * order of a list and scans a million rows to find few; figures measured on a small index would be wrong once it is
 * large, and are only read when a connection opens. (SQLite file format, 2.6.3: the first number is that of all
 * rows, the next ones are how many rows share the first column, the first two, and so on.) PostgreSQL collects its
 * own statistics.
 */
import { sql, type Kysely } from 'kysely';

/** An index and its columns; the key of a table has the table's name. */
export interface IndexColumns {
	table: string;
	name: string;
	columns: readonly string[];
	/** The index covers only some rows. */
	partial: boolean;
}

const ROWS = 1_000_000;
const PARTIAL_ROWS = 50_000;
/** Tables that stay small. */
const FEW: Readonly<Record<string, number>> = { ix_lease: 1 };
/**
 * Tables without statistics: if the planner knew that there are few chains, it would read the burns chain by chain
 * and sort them, instead of reading them in order.
 */
const UNTOLD = new Set(['ix_chains', 'ix_burns']);
/** Number of distinct values of a column; columns not listed count as unique. */
const DIFFERENT: Readonly<Record<string, number>> = {
	chain: 3,
	import_chain: 3,
	kind: 10,
	symbol: 10,
	source: 10,
	target: 10,
	holders: 100,
	transfers: 100,
	supply: 1_000,
	units: 1_000,
	token: 50_000,
	owner: 50_000,
	holder: 50_000,
	address: 50_000,
	word: 50_000
};

function figuresOf({ table, columns, partial }: IndexColumns): string {
	const rows = FEW[table] ?? (partial ? PARTIAL_ROWS : ROWS);
	let left = rows;
	const figures = [rows];
	for (const column of columns) {
		left = Math.max(1, Math.ceil(left / (DIFFERENT[column] ?? rows)));
		figures.push(left);
	}
	return figures.join(' ');
}

/** Writes the statistics of these indexes. */
export async function tellPlanner(
	db: Kysely<unknown>,
	indexes: readonly IndexColumns[]
): Promise<void> {
	// ANALYZE creates the table of statistics; on a table with one row it takes no time.
	await sql`analyze ix_lease`.execute(db);
	await sql`delete from sqlite_stat1`.execute(db);
	for (const index of indexes.filter(({ table }) => !UNTOLD.has(table))) {
		await sql`insert into sqlite_stat1 (tbl, idx, stat)
			values (${index.table}, ${index.name}, ${figuresOf(index)})`.execute(db);
	}
	// Loads the statistics without measuring anything.
	await sql`analyze sqlite_schema`.execute(db);
}
