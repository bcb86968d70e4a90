/** What lists and tables say besides their rows. */

export const LIST = {
	filter: 'Filter',
	showAll: 'Show all',
	first: 'First page',
	previous: 'Previous page',
	next: 'Next page',
	/** @param what what is listed: "tokens" */
	more: (what: string): string => `More ${what}`,
	file: { before: (what: string): string => `All ${what} of this view as`, or: 'or' },
	formats: { csv: 'CSV', json: 'JSON' },
	pageOf: (page: number, pages: number): string => `Page ${page} of ${pages}`,
	moreRows: (hidden: number, all: number): string => `More: ${hidden} of ${all} rows`
} as const;

export const COPY = {
	/** @param what what is copied, with its article: "the curl command" */
	copy: (what: string): string => `Copy ${what}`,
	copied: (what: string): string => `Copied ${what}`,
	/** What is copied without another word. */
	id: 'id'
} as const;
