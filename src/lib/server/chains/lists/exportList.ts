import { setImmediate as eventLoopTurn } from 'node:timers/promises';
import type { z } from 'zod';
import { createTurns } from '../../platform/async/turns.ts';
import { csvLine } from './csv.ts';
import { MAX_ROWS, NO_ROWS, type List, type ListPage, type ListQuery } from './list.ts';

/** Chunks of all exports that are read at the same time. */
const MOST_CHUNKS = 2;
/**
 * The turns of all exports: SQLite reads a chunk on the main thread, and without turns each open export would read one
 * before any other request is served.
 */
const inTurn = createTurns(MOST_CHUNKS);

interface ExportForm<Row> {
	contentType: string;
	head: string;
	tail: string;
	rows(rows: readonly Row[], first: boolean): string;
}

/** The parts of a list that an export needs. */
type Written<Row> = Pick<List<Row, z.ZodObject>, 'columns' | 'wire'>;

const csv = <Row>(list: Written<Row>): ExportForm<Row> => ({
	contentType: 'text/csv; charset=utf-8',
	head: csvLine(list.columns.map(({ title }) => title)),
	tail: '',
	rows: (rows) =>
		rows.map((row) => csvLine(list.columns.map((column) => column.value(row)))).join('')
});

const json = <Row>(list: Written<Row>): ExportForm<Row> => ({
	contentType: 'application/json',
	head: '[',
	tail: '\n]\n',
	rows: (rows, first) =>
		rows
			.map((row, at) => `${first && at === 0 ? '' : ','}\n${JSON.stringify(list.wire(row))}`)
			.join('')
});

/**
 * Returns the whole filtered list as a file. It is read in chunks, at the speed of the reader, without an open
 * database cursor between them; it stops when the reader disconnects.
 */
export async function exportList<Row, Filter extends z.ZodObject, Source>(
	source: NoInfer<Source>,
	list: List<Row, Filter, Source>,
	query: ListQuery<z.output<Filter>>,
	form: 'csv' | 'export',
	etag: string | null
): Promise<Response> {
	const { contentType, head, tail, rows } = form === 'csv' ? csv(list) : json(list);
	const encoder = new TextEncoder();
	let first = true;
	let isWanted = true;
	/** Reads a chunk and formats it. */
	const read = (cursor: string | undefined, after?: ListPage<Row>) =>
		inTurn(async (): Promise<{ page: ListPage<Row>; text: string }> => {
			await eventLoopTurn();
			if (!isWanted) return { page: NO_ROWS, text: '' };
			const asked = { ...query, limit: MAX_ROWS, cursor, before: undefined };
			const page = await list.read(source, asked, after);
			const text = rows(page.rows, first);
			if (page.rows.length > 0) first = false;
			return { page, text };
		});
	// The first chunk is read before the response begins, so that an invalid request still gets an error.
	let waiting: Awaited<ReturnType<typeof read>> | null = await read(query.cursor);
	let last: ListPage<Row> | undefined;
	const body = new ReadableStream<Uint8Array>({
		start(controller) {
			controller.enqueue(encoder.encode(head));
		},
		async pull(controller) {
			let text: string;
			let next: string | null;
			// A page without rows may be followed by others; `pull` is only called again after data was enqueued.
			do {
				const chunk = waiting ?? (await read(last?.next ?? undefined, last));
				waiting = null;
				last = chunk.page;
				next = chunk.page.next;
				text = chunk.text;
			} while (text === '' && next !== null && isWanted);
			if (!isWanted) return;
			if (next === null) text += tail;
			if (text !== '') controller.enqueue(encoder.encode(text));
			if (next === null) controller.close();
		},
		cancel() {
			isWanted = false;
		}
	});
	const chain = query.chain === undefined ? '' : `${query.chain.replace(/[^\w.-]/g, '_')}-`;
	const suffix = form === 'csv' ? 'csv' : 'json';
	return new Response(body, {
		headers: {
			'content-type': contentType,
			'content-disposition': `attachment; filename="${chain}${list.name}.${suffix}"`,
			'cache-control': 'private, no-cache',
			...(etag === null ? {} : { etag })
		}
	});
}
