/**
 * What a list is. One definition serves the page, the JSON API with its description, and the export: they
 * cannot differ in what a filter means.
 */
import { listFaults, listMembers } from '#lib/messages/apiLists.ts';
import { z } from 'zod';
import type { Index } from '../indexer/open.ts';
import type { CsvValue } from './csv.ts';

/** One page of a list. */
export interface ListPage<Row> {
	rows: Row[];
	/** The place behind the last row, as `cursor` of the next page; null at the end. */
	next: string | null;
	/** The place of the first row, as `before` of the previous page; null at the beginning. */
	previous: string | null;
}

/** The page of a list that has nothing to show, such as that of a chain that is not indexed yet. */
export const NO_ROWS: ListPage<never> = { rows: [], next: null, previous: null };

/** What is asked of a list; all of it comes from the address, checked against the definition. */
export interface ListQuery<Filter> {
	/** Name of the chain, for lists that belong to one. */
	chain?: string | undefined;
	filter: Filter;
	/** One of the definition's sorts. */
	sort: string;
	/** The page begins behind this place. */
	cursor?: string | undefined;
	/** The page ends before this place; `cursor` is not looked at then. */
	before?: string | undefined;
	/** Rows wanted, at most `MAX_ROWS`. */
	limit: number;
}

/** A column of the export, in its order. */
export interface ListColumn<Row> {
	title: string;
	/** The value as text; a bigint is written digit for digit. */
	value(row: Row): CsvValue;
}

/** @typeParam Source what its rows are read from: the index, or a database of its own area */
export interface List<Row, Filter extends z.ZodObject, Source = Index> {
	/** As in `/api/v1/<name>` and in a file's name. */
	name: string;
	summary: string;
	/** `chain`: one chain's rows, under `/api/v1/chains/<chain>/<name>`. `all`: rows of all chains. */
	scope: 'chain' | 'all';
	/** Members are optional texts as they stand in the address; a wrong one is named to the reader. */
	filter: Filter;
	/** The first is used when none is asked for; a leading `-` sorts downward. */
	sorts: readonly [string, ...string[]];
	/** The row as the API gives it: amounts are text with eight decimals, 64-bit numbers are text. */
	row: z.ZodType;
	/** A row in the shape of `row`. */
	wire(row: Row): unknown;
	columns: readonly ListColumn<Row>[];
	/** @throws {AppError} `api.cursor-unknown` */
	read(source: Source, query: ListQuery<z.output<Filter>>): Promise<ListPage<Row>>;
}

/** A list whose rows only its own functions look into. */
export type AnyList = List<unknown, z.ZodObject>;

/** Bytes of a row as lower-case hex. */
export const bytesHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** Unix seconds as the API writes a time. */
export const isoTime = (seconds: bigint): string => new Date(Number(seconds) * 1000).toISOString();

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

/** A height as it is typed into a filter. */
export const heightText = z
	.string()
	.regex(/^\d{1,9}$/, listFaults.height)
	.transform(Number);

/** A filter of the address that is left empty counts as none. */
export const optionalText = <T>(schema: z.ZodType<T, string>) =>
	z.preprocess((value) => (value === '' ? undefined : value), schema.optional());

export const MAX_ROWS = 1000;
export const PAGE_ROWS = 50;
