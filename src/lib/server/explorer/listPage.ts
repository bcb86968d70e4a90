/** A list of the index as a page shows it: what was asked for, what fits, and what is wrong with it. */
import type { z } from 'zod';
import type { Index } from '../indexer/open.ts';
import { chainProgress, type ChainProgress } from '../indexer/read/chains.ts';
import { CursorError } from '../indexer/read/cursor.ts';
import { PAGE_ROWS, type List, type ListPage } from '../indexer/read/list.ts';

export interface ShownList<Row> {
	rows: Row[];
	/** Where the next page begins; null at the end. */
	next: string | null;
	/** This is not the first page. */
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
	/** How far the index of the chain is; null before its first block. */
	progress: ChainProgress | null;
}

export interface ListWish {
	chain?: string;
	/** What the address does not say but the page decides, such as the token that is shown. */
	fixed?: Readonly<Record<string, string>>;
	limit?: number;
	/** Leads the names of this list's parameters where a page shows several. */
	prefix?: string;
}

const MAX_TYPED = 300;

/** Reads one page of a list as the address asks for it. What does not fit never fails the page. */
export async function listPage<Row, Filter extends z.ZodObject>(
	index: Index,
	list: List<Row, Filter>,
	parameters: URLSearchParams,
	{ chain, fixed = {}, limit = PAGE_ROWS, prefix = '' }: ListWish = {}
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
	const sort = list.sorts.includes(asked) ? asked : list.sorts[0];
	const errors: Record<string, string> = {};
	const parsed = list.filter.safeParse({ ...given, ...fixed });
	if (!parsed.success) {
		for (const { path, message } of parsed.error.issues) errors[String(path[0])] ??= message;
	}
	const cursor = parameters.get(`${prefix}cursor`) ?? undefined;
	let problem: string | null = null;
	let page: ListPage<Row> = { rows: [], next: null };
	if (parsed.success) {
		const query = { chain, filter: parsed.data, sort, limit };
		try {
			page = await list.read(index, { ...query, cursor });
		} catch (error) {
			if (!(error instanceof CursorError)) throw error;
			problem = 'The place in the list that was asked for does not exist. This is the first page.';
			page = await list.read(index, query);
		}
	}
	const order: Record<string, string> = sort === list.sorts[0] ? {} : { sort };
	const place = chain === undefined ? '' : `chains/${encodeURIComponent(chain)}/`;
	return {
		...page,
		further: cursor !== undefined && problem === null,
		sort,
		given,
		errors,
		problem,
		file: `/api/v1/${place}${list.name}`,
		query: new URLSearchParams({ ...given, ...fixed, ...order }).toString(),
		progress: chain === undefined ? null : await chainProgress(index, chain)
	};
}
