/** What lists and tables say besides their rows. */
import { count, plural } from '#lib/text/plural.ts';

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

/** What lines that fold out say. */
export const TREE = {
	elements: (n: number): string => plural(n, 'element'),
	members: (n: number): string => plural(n, 'member'),
	empty: 'empty',
	/** @param hidden elements of a JSON value that are not shown */
	moreValues: (hidden: number): string => `${count(hidden)} more: see the raw text.`,
	/** Where a part of decoded bytes stands; `end` is the byte after its last. */
	range: (start: number, end: number): string =>
		end === start
			? `at ${start}, empty`
			: end - start === 1
				? `byte ${start}`
				: `bytes ${start} to ${end - 1}`,
	moreParts: (hidden: number): string => `${plural(hidden, 'more part')} not shown`
} as const;

/** The state of a step of something that takes several. */
export const STEP_STATES = {
	done: 'Done',
	now: 'Now',
	later: 'Later',
	failed: 'Failed',
	skipped: 'Not done'
} as const;

export const COPY = {
	/** @param what what is copied, with its article: "the curl command" */
	copy: (what: string): string => `Copy ${what}`,
	copied: (what: string): string => `Copied ${what}`,
	/** The browser lets no page copy. */
	failed: (what: string): string =>
		`Could not copy ${what}. The text is selected: copy it with your keyboard or the menu of your browser.`,
	/** What is copied without another word. */
	id: 'id'
} as const;
