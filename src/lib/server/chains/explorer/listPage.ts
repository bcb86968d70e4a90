/** A list of the index as a page shows it: what was asked for, what fits, and what is wrong with it. */
import type { z } from 'zod';
import { LIST } from '#lib/messages/lists.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import { NO_ROWS, PAGE_ROWS, type List, type ListPage } from '../lists/list.ts';

interface ShownList<Row> extends ListPage<Row> {
	/** There are pages before this one. */
	further: boolean;
	sort: string;
	/** The filter as it was typed, by parameter; only what the list knows. */
	given: Record<string, string>;
	/** What is wrong with a parameter, by its name. */
	errors: Record<string, string>;
	/** Why the first page is shown instead of the one that was asked for. */
	problem: string | null;
	/** Address of the whole list under this filter, without its suffix `.csv` or `.json`. */
	file: string;
	/** The filter and order as a query for `file`. */
	query: string;
}

interface ListWish {
	chain?: string;
	/** What the address does not say but the page decides, such as the token that is shown. */
	fixed?: Readonly<Record<string, string>>;
	limit?: number;
	/** The order when the address names none; the list's first without it. */
	sort?: string;
	/** Leads the names of this list's parameters where a page shows several. */
	prefix?: string;
}

const MAX_TYPED = 300;

/** Reads one page of a list as the address asks for it. What does not fit never fails the page. */
export async function listPage<Row, Filter extends z.ZodObject, Source>(
	source: NoInfer<Source>,
	list: List<Row, Filter, Source>,
	parameters: URLSearchParams,
	{ chain, fixed = {}, limit = PAGE_ROWS, sort: usual = list.sorts[0], prefix = '' }: ListWish = {}
): Promise<ShownList<Row>> {
	const given: Record<string, string> = {};
	for (const name of Object.keys(list.filter.shape)) {
		const value =
			parameters
				.get(prefix + name)
				?.trim()
				.slice(0, MAX_TYPED) ?? '';
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
			// Nothing stands before the place any more: the list begins there now.
			if (before !== undefined && page.rows.length === 0) page = await list.read(source, query);
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
