/** Texts that lists and tables share. */
import { count, plural } from '#lib/text/plural.ts';

/** Texts of lists: filters, pages, exports. */
export const LIST = {
	filter: 'Filter',
	showAll: 'Show all',
	first: 'First page',
	previous: 'Previous page',
	next: 'Next page',
	/** @param what what is listed, such as "tokens" */
	more: (what: string): string => `More ${what}`,
	/** Shown before the links to files. */
	file: { before: (what: string): string => `Export ${what}:`, or: '·' },
	formats: { csv: 'CSV', json: 'JSON' },
	rawJson: 'Raw JSON',
	pageOf: (page: number, pages: number): string => `Page ${count(page)} of ${count(pages)}`,
	/** Why the first page is shown instead of the requested one. */
	placeGone: 'This place in the list no longer exists. Showing the first page.',
	moreRows: (hidden: number, all: number): string => `More: ${count(hidden)} of ${count(all)} rows`
} as const;

/** Texts of tree views. */
export const TREE = {
	elements: (n: number): string => plural(n, 'element'),
	members: (n: number): string => plural(n, 'member'),
	empty: 'empty',
	/** @param hidden number of elements of a JSON value that are not shown */
	moreValues: (hidden: number): string => `${count(hidden)} more: see the raw text.`,
	/** Byte range of a part of decoded bytes; `end` is the byte after the last. */
	range: (start: number, end: number): string =>
		end === start
			? `at ${start}, empty`
			: end - start === 1
				? `byte ${start}`
				: `bytes ${start} to ${end - 1}`,
	moreParts: (hidden: number): string => `${plural(hidden, 'more part')} not shown`
} as const;

/** States of a step in a sequence. */
export const STEP_STATES = {
	done: 'Done',
	now: 'Now',
	later: 'Later',
	failed: 'Failed',
	skipped: 'Not done'
} as const;

/** Texts of the buttons that copy something. */
export const COPY = {
	/** @param what what is copied, with its article: "the curl command" */
	copy: (what: string): string => `Copy ${what}`,
	copied: (what: string): string => `Copied ${what}`,
	/** The browser does not allow copying. */
	failed: (what: string): string =>
		`Could not copy ${what}. The text is selected: copy it with your keyboard or the menu of your browser.`,
	/** Default for what is copied. */
	id: 'id'
} as const;
