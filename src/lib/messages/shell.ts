/** Texts around every page: the bar at the top, the banners, the sidebar. */
import { plural } from '#lib/text/plural.ts';
import { PRODUCT } from './product.ts';

export const THEMES = [
	{ value: 'system', label: 'System' },
	{ value: 'light', label: 'Light' },
	{ value: 'dark', label: 'Dark' }
] as const;

export const SHELL = {
	/**
	 * Title of the browser tab, distinct for pages of different chains or transactions.
	 * @param chain omitted when the page's own name contains it
	 * @param id id of the subject, when the page's name does not identify it
	 */
	tab: (page: string, { chain, id }: { chain?: string; id?: string } = {}): string =>
		[
			page,
			...(id === undefined ? [] : [id.length > 12 ? `${id.slice(0, 8)}…` : id]),
			...(chain === undefined || page.split(/\s+/).includes(chain) ? [] : [chain]),
			PRODUCT.name
		].join(' · '),
	/** Printed on paper: the URL of the page. */
	printedFrom: (address: string): string => `${PRODUCT.name} · ${address}`,
	skip: 'Skip to main content',
	home: `${PRODUCT.name}, overview`,
	theme: 'Theme',
	account: 'Account',
	logIn: 'Log in',
	logOut: 'Log out',
	controls: { freeze: 'Sending is frozen', 'read-only': 'Read-only mode is on' },
	because: (by: string, reason: string): string => `${by}: “${reason}”`,
	incomplete: 'What this page shows may be incomplete.',
	differing: (n: number): string =>
		`Rights in the database were changed outside of ${PRODUCT.name} (${n}).`,
	differences: 'See what differs',
	devnet: { name: 'Devnet', note: ': test coins without value' },
	sidebar: 'Chains and tools',
	breadcrumbs: 'Breadcrumbs',
	/** Above a long list of chains: part of a name. */
	filterChains: 'Filter chains',
	menu: 'Menu',
	/** @param since time of day in UTC */
	notLive: (since: string): string => `Not live since ${since}. This page may be outdated.`,
	/** Why a page with news is not reloaded while something is typed on it, and what is safe. */
	held: {
		refused:
			'You may have to log in or confirm again. This page may be outdated; what you typed is still here.',
		later: 'This page could not be updated. It may be outdated; what you typed is still here.'
	}
} as const;

export const SEARCH_BOX = {
	label: 'Search for a block, transaction, address, public key, token or chain',
	placeholder: 'Search block, tx, address, public key, token…',
	palette: 'Open the command palette',
	noPalette:
		'The command palette could not be loaded. Check your connection; if it is fine, reload this page.',
	keys: { mac: '⌘K', other: 'Ctrl K' },
	suggestions: 'Suggestions',
	/** Headings of the suggestions, by what they name. */
	kinds: {
		label: 'Labels',
		chain: 'Chains',
		block: 'Blocks',
		transaction: 'Transactions',
		token: 'Tokens',
		address: 'Addresses',
		pubkey: 'Public keys'
	},
	found: (n: number): string => plural(n, 'suggestion')
} as const;
