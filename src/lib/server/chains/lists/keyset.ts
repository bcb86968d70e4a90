/**
 * Keyset pagination of lists: each page begins after the last row of the previous one, found by the index that
 * gives the order. Every page costs the same, and rows that arrive meanwhile do not shift the pages.
 */
import { sql, type SelectQueryBuilder } from 'kysely';
import { readCursor, writeCursor, type CursorValue } from './cursor.ts';
import type { ListPage } from './list.ts';

/** An order of a list: columns that together are unique for each row. */
export interface Order<Row> {
	columns: readonly { name: string; type: 'text' | 'int'; value(row: Row): CursorValue }[];
	descending: boolean;
}

interface KeysetQuery {
	sort: string;
	/** The page begins after this cursor. */
	cursor?: string | undefined;
	/** The page ends before this cursor. */
	before?: string | undefined;
	limit: number;
}

/** Bytes of the texts on one page: a page is written as one piece, and only its rows are limited by the request. */
const MOST_BYTES = 1024 * 1024;

/** Returns the bytes of texts that anyone may have put on a chain: JSON writes a control character as six. */
export const writtenBytes = (...texts: readonly (string | null)[]): number =>
	texts.reduce((sum, text) => sum + JSON.stringify(text).length, 0);

/** Returns how many of the first `limit` rows fit on a page; at least one. */
function fittingRows<Row>(
	rows: readonly Row[],
	limit: number,
	bytesOf: (row: Row) => number
): number {
	let bytes = 0;
	let count = 0;
	for (const row of rows.slice(0, limit)) {
		bytes += bytesOf(row);
		if (bytes > MOST_BYTES && count > 0) break;
		count += 1;
	}
	return count;
}

/**
 * Reads one page. One additional row is read, to know whether the list continues. A page before a cursor is read
 * backward from it, by the same index.
 * @param bytesOf bytes of a row, for lists with long texts: a page ends early where they become too many
 * @throws {AppError} `api.cursor-unknown`
 */
export async function keysetPage<DB, TB extends keyof DB, Row>(
	query: SelectQueryBuilder<DB, TB, Row>,
	order: Order<Row>,
	{ sort, cursor, before, limit }: KeysetQuery,
	bytesOf?: (row: Row) => number
): Promise<ListPage<Row>> {
	const { columns } = order;
	const backwards = before !== undefined;
	const place = before ?? cursor;
	const descending = order.descending !== backwards;
	const names = columns.map(({ name }) => sql.ref(name));
	const direction = sql.raw(descending ? 'desc' : 'asc');
	let page = query
		.orderBy(sql`${sql.join(names.map((name) => sql`${name} ${direction}`))}`)
		.limit(limit + 1);
	if (place !== undefined) {
		const values = readCursor(
			place,
			sort,
			columns.map(({ type }) => type),
			backwards ? 'before' : 'cursor'
		);
		const beyond = sql.raw(descending ? '<' : '>');
		page = page.where(sql<boolean>`(${sql.join(names)}) ${beyond} (${sql.join(values)})`);
	}
	const found = await page.execute();
	const most = bytesOf === undefined ? limit : fittingRows(found, limit, bytesOf);
	const more = found.length > most;
	const rows = more ? found.slice(0, most) : found;
	if (backwards) rows.reverse();
	const placeOf = (row: Row | undefined): string | null =>
		row === undefined
			? null
			: writeCursor(
					sort,
					columns.map(({ value }) => value(row))
				);
	return {
		rows,
		// The page that the reader came from lies on the other side.
		next: more || backwards ? placeOf(rows.at(-1)) : null,
		previous: (backwards ? more : place !== undefined) ? placeOf(rows[0]) : null
	};
}
