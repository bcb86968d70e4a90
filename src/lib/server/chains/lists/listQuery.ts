/** Reads the request for a list from a URL. */
import { AppError } from '../../platform/errors/appError.ts';
import type { z } from 'zod';
import { MAX_ROWS, type AnyList, type List, type ListQuery } from './list.ts';
import { lists } from './lists.ts';

/** `json` is one page for scripts; `csv` and `export` are all rows of a filter. */
type Form = 'json' | 'csv' | 'export';

const SUFFIXES: Readonly<Record<string, Form>> = { '.csv': 'csv', '.json': 'export' };
const DEFAULT_ROWS = 100;

/** Returns the list that a file name in the URL refers to, such as `tokens` or `tokens.csv`. */
export function listOf(file: string, scope: 'chain' | 'all'): { list: AnyList; form: Form } {
	const suffix = Object.keys(SUFFIXES).find((end) => file.endsWith(end));
	const name = suffix === undefined ? file : file.slice(0, -suffix.length);
	const list = lists.find((candidate) => candidate.name === name && candidate.scope === scope);
	if (!list) throw new AppError('api.list-unknown', { name: name.slice(0, 64) });
	return { list, form: suffix === undefined ? 'json' : SUFFIXES[suffix]! };
}

/** Returns the parameters of a URL, none of which may be repeated. @throws {AppError} `api` */
export function parametersOf(parameters: URLSearchParams): Map<string, string> {
	const given = new Map<string, string>();
	for (const [name, value] of parameters) {
		const field = name.slice(0, 64);
		// No name on a chain contains a zero byte, and PostgreSQL accepts none in a text.
		if (value.includes('\0')) throw new AppError('api.parameter-invalid', {}, { field });
		if (given.has(name)) throw new AppError('api.parameter-repeated', { name: field }, { field });
		given.set(name, value);
	}
	return given;
}

/** @throws {AppError} `api.parameter-unknown` if there is a name */
export function refuseUnknown(name: string | undefined): void {
	if (name === undefined) return;
	const field = name.slice(0, 64);
	throw new AppError('api.parameter-unknown', { name: field }, { field });
}

/**
 * Reads the request for a page of a list. An unknown parameter is refused, so that a misspelled filter is not
 * silently ignored.
 * @throws {AppError} `api`
 */
export function listQuery<Filter extends z.ZodObject>(
	list: Pick<List<never, Filter>, 'sorts' | 'filter'>,
	chain: string | undefined,
	parameters: URLSearchParams
): ListQuery<z.output<Filter>> {
	const given = parametersOf(parameters);
	const take = (name: string): string | undefined => {
		const value = given.get(name);
		given.delete(name);
		return value === '' ? undefined : value;
	};
	const sort = take('sort') ?? list.sorts[0];
	if (!list.sorts.includes(sort)) {
		throw new AppError('api.sort-unknown', { sorts: list.sorts });
	}
	const limit = take('limit') ?? String(DEFAULT_ROWS);
	if (!/^\d{1,4}$/.test(limit) || Number(limit) < 1 || Number(limit) > MAX_ROWS) {
		throw new AppError('api.limit-invalid', { most: MAX_ROWS });
	}
	const cursor = take('cursor');
	const before = take('before');
	if (cursor !== undefined && before !== undefined) {
		throw new AppError('api.two-cursors');
	}
	const parsed = list.filter.strict().safeParse(Object.fromEntries(given));
	if (!parsed.success) {
		const [issue] = parsed.error.issues;
		if (issue?.code === 'unrecognized_keys') refuseUnknown(issue.keys[0]);
		const field = String(issue?.path[0] ?? '');
		throw issue === undefined
			? new AppError('api.parameter-invalid', {}, { field })
			: new AppError('api.filter-invalid', { problem: issue.message }, { field });
	}
	return {
		...(chain === undefined ? {} : { chain }),
		// `strict()` only refuses more: data that passes has the filter's own shape.
		filter: parsed.data as z.output<Filter>,
		sort,
		limit: Number(limit),
		...(cursor === undefined ? {} : { cursor }),
		...(before === undefined ? {} : { before })
	};
}
