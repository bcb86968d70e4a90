/**
 * Definition of a list. One definition serves the page, the JSON API with its description, and the export, so that
 * filters mean the same in each.
 */
import { listFaults, listMembers } from '#lib/messages/apiLists.ts';
import { z } from 'zod';
import type { Index } from '../indexer/open.ts';
import type { CsvValue } from './csv.ts';

/** One page of a list. */
export interface ListPage<Row> {
	rows: Row[];
	/** Cursor after the last row, for `cursor` of the next page; null at the end. */
	next: string | null;
	/** Cursor of the first row, for `before` of the previous page; null at the beginning. */
	previous: string | null;
}

/** An empty page, for example of a chain that is not indexed yet. */
export const NO_ROWS: ListPage<never> = { rows: [], next: null, previous: null };

/** A request for a page of a list, from the URL and validated against the definition. */
export interface ListQuery<Filter> {
	/** Name of the chain, for lists that belong to one. */
	chain?: string | undefined;
	filter: Filter;
	/** One of the definition's sorts. */
	sort: string;
	/** The page begins after this cursor. */
	cursor?: string | undefined;
	/** The page ends before this cursor; `cursor` is ignored then. */
	before?: string | undefined;
	/** Rows wanted, at most `MAX_ROWS`. */
	limit: number;
}

/** A column of the export. */
export interface ListColumn<Row> {
	title: string;
	/** The value of the cell; a bigint is written with all digits. */
	value(row: Row): CsvValue;
}

/** @typeParam Source where its rows are read from: the index, or another database */
export interface List<Row, Filter extends z.ZodObject, Source = Index> {
	/** As in `/api/v1/<name>` and in the name of an export. */
	name: string;
	summary: string;
	/** `chain`: one chain's rows, under `/api/v1/chains/<chain>/<name>`. `all`: rows of all chains. */
	scope: 'chain' | 'all';
	/** Members are optional texts, as in the URL; an invalid one is reported by name. */
	filter: Filter;
	/** The first is the default; a leading `-` sorts descending. */
	sorts: readonly [string, ...string[]];
	/** The row in the API: amounts are text with eight decimals, 64-bit numbers are text. */
	row: z.ZodType;
	/** Converts a row to the shape of `row`. */
	wire(row: Row): unknown;
	columns: readonly ListColumn<Row>[];
	/**
	 * @param after the page before this one, which an export has just read; never from a request
	 * @throws {AppError} `api.cursor-unknown`
	 */
	read(
		source: Source,
		query: ListQuery<z.output<Filter>>,
		after?: ListPage<Row>
	): Promise<ListPage<Row>>;
}

/** A list of any row type. */
export type AnyList = List<unknown, z.ZodObject>;

/** Returns Unix seconds as an ISO 8601 time. */
export const isoTimeOfSeconds = (seconds: bigint): string =>
	new Date(Number(seconds) * 1000).toISOString();

/** Shapes that rows of the API share. */
export const Height = z.int().min(0).describe(listMembers.height);
export const Hash = z
	.string()
	.regex(/^[0-9a-f]{64}$/)
	.describe(listMembers.hash);
export const Coins = z
	.string()
	.regex(/^-?\d+\.\d{8}$/)
	.describe(listMembers.coins);
export const Units = z
	.string()
	.regex(/^-?\d+$/)
	.describe(listMembers.units);
export const Time = z.iso.datetime().describe(listMembers.time);

/** A height as text in a filter. */
export const heightText = z
	.string()
	.regex(/^\d{1,9}$/, listFaults.height)
	.transform(Number);

/** Maximum length of a name in a filter. */
const MOST_LETTERS = 200;

/** Makes a filter optional: an empty text counts as absent. */
export const optionalText = <T>(schema: z.ZodType<T, string>) =>
	z.preprocess((value) => (value === '' ? undefined : value), schema.optional());

/** A name in a filter of a list of the team's work, such as that of a member. */
export const nameText = z.string().max(MOST_LETTERS, listFaults.name(MOST_LETTERS));

/** Filters of a list of blocks or of what they contain: the lowest and the highest height. */
export const heightRange = {
	from: optionalText(heightText).describe(listMembers.from),
	to: optionalText(heightText).describe(listMembers.to)
};

export const MAX_ROWS = 1000;
export const PAGE_ROWS = 50;
