import { csvLine } from './csv.ts';
import type { z } from 'zod';
import { MAX_ROWS, type List, type ListPage, type ListQuery } from './list.ts';

interface ExportForm<Row> {
	contentType: string;
	head: string;
	tail: string;
	rows(rows: readonly Row[], first: boolean): string;
}

/** What of a list a file needs. */
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
 * The whole of a list under a filter as a file. It is read in chunks as fast as the reader takes it; no
 * cursor of the database is held open between them, and a reader that goes away ends the work.
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
	const read = (cursor: string | undefined) =>
		list.read(source, { ...query, limit: MAX_ROWS, cursor, before: undefined });
	// The first chunk comes before the answer begins: what is wrong with the question can still be said.
	let waiting: ListPage<Row> | null = await read(query.cursor);
	let next: string | null = null;
	let first = true;
	let isWanted = true;
	const body = new ReadableStream<Uint8Array>({
		start(controller) {
			controller.enqueue(encoder.encode(head));
		},
		async pull(controller) {
			let text: string;
			// A page without a row may have another behind it: where nothing comes, nobody asks again.
			do {
				const page = waiting ?? (await read(next ?? undefined));
				waiting = null;
				next = page.next;
				text = rows(page.rows, first);
				if (page.rows.length > 0) first = false;
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
