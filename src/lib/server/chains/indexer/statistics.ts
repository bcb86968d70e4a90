/**
 * What SQLite's planner is told of the tables: figures of a large index, the same at any size. Without any
 * it takes the order of a list for what matters and walks over a million rows to find few; figures that it
 * counted in a small index would be wrong in a large one, and are read only when a connection opens.
 * (SQLite file format, 2.6.3: the first number is that of all rows, the next ones are how many rows share
 * the first column, the first two, and so on.) PostgreSQL counts by itself.
 */
import { sql, type Kysely } from 'kysely';

/** An index with its columns; of a table's key it has the table's name. */
export interface IndexColumns {
	table: string;
	name: string;
	columns: readonly string[];
	/** It holds some of the rows only. */
	partial: boolean;
}

const ROWS = 1_000_000;
const PARTIAL_ROWS = 50_000;
/** Tables that stay small. */
const FEW: Readonly<Record<string, number>> = { ix_lease: 1, ix_flows: 20 };
/**
 * Of these nothing is said: told that there are few chains, the planner goes through the burns of one after
 * the other and sorts them, instead of reading them in their order.
 */
const UNTOLD = new Set(['ix_chains', 'ix_burns']);
/** How many different values a column has; others tell each row from all others. */
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

/** Tells the planner of SQLite what to expect of these indexes. */
export async function tellPlanner(
	db: Kysely<unknown>,
	indexes: readonly IndexColumns[]
): Promise<void> {
	// The table of figures is made by counting; of a table with one row that takes no time.
	await sql`analyze ix_lease`.execute(db);
	await sql`delete from sqlite_stat1`.execute(db);
	for (const index of indexes.filter(({ table }) => !UNTOLD.has(table))) {
		await sql`insert into sqlite_stat1 (tbl, idx, stat)
			values (${index.table}, ${index.name}, ${figuresOf(index)})`.execute(db);
	}
	// Reads the figures; nothing is counted.
	await sql`analyze sqlite_schema`.execute(db);
}
