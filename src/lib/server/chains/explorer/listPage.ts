/** A page of a list: its rows, the filter that was applied, and invalid parameters. */
import { bareText } from '#lib/chain/bareText.ts';
import type { z } from 'zod';
import { LIST } from '#lib/messages/lists.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import { NO_ROWS, PAGE_ROWS, type List, type ListPage } from '../lists/list.ts';

interface ShownList<Row> extends ListPage<Row> {
	/** Whether there are pages before this one. */
	further: boolean;
	sort: string;
	/** The filter as typed, by parameter; only parameters that the list has. */
	given: Record<string, string>;
	/** What is wrong with each invalid parameter. */
	errors: Record<string, string>;
	/** Why the first page is shown instead of the requested one; null when it is not. */
	problem: string | null;
	/** URL of the whole list with this filter, without the suffix `.csv` or `.json`. */
	file: string;
	/** Filter and order as a query string for `file`. */
	query: string;
}

interface ListWish {
	chain?: string;
	/** Filter values that the page sets itself, such as the token that it shows. */
	fixed?: Readonly<Record<string, string>>;
	limit?: number;
	/** Order when the URL specifies none; default: the list's first. */
	sort?: string;
	/** Prefix of the parameter names, for a page with several lists. */
	prefix?: string;
}

const MAX_TYPED = 300;

/** Reads the page of a list that the URL requests. Invalid parameters never fail the page. */
export async function listPage<Row, Filter extends z.ZodObject, Source>(
	source: NoInfer<Source>,
	list: List<Row, Filter, Source>,
	parameters: URLSearchParams,
	{ chain, fixed = {}, limit = PAGE_ROWS, sort: usual = list.sorts[0], prefix = '' }: ListWish = {}
): Promise<ShownList<Row>> {
	const given: Record<string, string> = {};
	for (const name of Object.keys(list.filter.shape)) {
		const value = bareText(parameters.get(prefix + name) ?? '').slice(0, MAX_TYPED);
		if (value !== '' && !Object.hasOwn(fixed, name)) given[name] = value;
	}
	const asked = parameters.get(`${prefix}sort`) ?? '';
	const sort = list.sorts.includes(asked) ? asked : usual;
	const errors: Record<string, string> = {};
	const parsed = list.filter.safeParse({ ...given, ...fixed });
	if (!parsed.success) {
		for (const { path, message } of parsed.error.issues) errors[String(path[0])] ??= message;
	}
	const cursor = parameters.get(`${prefix}cursor`) ?? undefined;
	const before = parameters.get(`${prefix}before`) ?? undefined;
	let problem: string | null = null;
	let page: ListPage<Row> = NO_ROWS;
	if (parsed.success) {
		const query = { chain, filter: parsed.data, sort, limit };
		try {
			page = await list.read(source, { ...query, cursor, before });
			// There are no rows before the cursor any more, so the list now begins there. With `previous` set, the
			// list only did not search all of them.
			if (before !== undefined && page.rows.length === 0 && page.previous === null) {
				page = await list.read(source, query);
			}
		} catch (error) {
			if (!isAppError(error, 'api.cursor-unknown')) throw error;
			problem = LIST.placeGone;
			page = await list.read(source, query);
		}
	}
	const order: Record<string, string> = sort === list.sorts[0] ? {} : { sort };
	const place = chain === undefined ? '' : `chains/${encodeURIComponent(chain)}/`;
	return {
		...page,
		further:
			page.previous !== null ||
			(page.rows.length === 0 && cursor !== undefined && problem === null && parsed.success),
		sort,
		given,
		errors,
		problem,
		file: `/api/v1/${place}${list.name}`,
		query: new URLSearchParams({ ...given, ...fixed, ...order }).toString()
	};
}
