/** What lists and tables say besides their rows. */
import { count } from '#lib/text/plural.ts';

export const LIST = {
	filter: 'Filter',
	showAll: 'Show all',
	first: 'First page',
	previous: 'Previous page',
	next: 'Next page',
	/** @param what what is listed: "tokens" */
	more: (what: string): string => `More ${what}`,
	/** Before the links to files. */
	file: { before: (what: string): string => `Export ${what}:`, or: '·' },
	formats: { csv: 'CSV', json: 'JSON' },
	rawJson: 'Raw JSON',
	pageOf: (page: number, pages: number): string => `Page ${count(page)} of ${count(pages)}`,
	/** Why the first page is shown instead of the one that was asked for. */
	placeGone: 'This place in the list no longer exists. Showing the first page.',
	moreRows: (hidden: number, all: number): string => `More: ${count(hidden)} of ${count(all)} rows`
} as const;

export const COPY = {
	/** @param what what is copied, with its article: "the curl command" */
	copy: (what: string): string => `Copy ${what}`,
	copied: (what: string): string => `Copied ${what}`,
	/** What is copied without another word. */
	id: 'id'
} as const;
