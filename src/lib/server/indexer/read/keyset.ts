/**
 * Pages of a list by keyset: each begins behind the last row of the one before, found by the index that
 * gives the order. Page one thousand costs what page one costs, and rows that arrive meanwhile move nothing.
 */
import { sql, type SelectQueryBuilder } from 'kysely';
import { readCursor, writeCursor, type CursorValue } from './cursor.ts';
import type { ListPage } from './list.ts';

/** One order of a list: columns whose values together are different in each row. */
export interface Order<Row> {
	columns: readonly { name: string; type: 'text' | 'int'; value(row: Row): CursorValue }[];
	descending: boolean;
}

export interface KeysetQuery {
	sort: string;
	cursor?: string | undefined;
	limit: number;
}

/**
 * Runs a query for one page. One row more than wanted is read, to know whether there is a next page.
 * @throws {CursorError}
 */
export async function keysetPage<DB, TB extends keyof DB, Row>(
	query: SelectQueryBuilder<DB, TB, Row>,
	order: Order<Row>,
	{ sort, cursor, limit }: KeysetQuery
): Promise<ListPage<Row>> {
	const { columns, descending } = order;
	const names = columns.map(({ name }) => sql.ref(name));
	const direction = sql.raw(descending ? 'desc' : 'asc');
	let page = query
		.orderBy(sql`${sql.join(names.map((name) => sql`${name} ${direction}`))}`)
		.limit(limit + 1);
	if (cursor !== undefined) {
		const values = readCursor(
			cursor,
			sort,
			columns.map(({ type }) => type)
		);
		const beyond = sql.raw(descending ? '<' : '>');
		page = page.where(sql<boolean>`(${sql.join(names)}) ${beyond} (${sql.join(values)})`);
	}
	const rows = await page.execute();
	const more = rows.length > limit;
	const shown = more ? rows.slice(0, limit) : rows;
	const last = shown.at(-1);
	return {
		rows: shown,
		next:
			more && last !== undefined
				? writeCursor(
						sort,
						columns.map(({ value }) => value(last))
					)
				: null
	};
}
