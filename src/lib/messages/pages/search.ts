/** What the search page says. */
import { plural } from '#lib/text/plural.ts';

export const searchPage = {
	title: 'Search',
	lead: 'Searches all chains.',
	term: 'Search term',
	hint: 'A block’s height or hash, a transaction, a token’s ID or name, an address, a public key, or a chain’s name. The first six characters of a hash are enough.',
	button: 'Search',
	partial: 'Some results may be missing.',
	found: 'Found',
	matches: (hits: number): string => plural(hits, 'match', 'matches'),
	none: {
		title: (term: string): string => `No results for “${term}”`,
		text: 'Check the spelling, or paste a full ID. New transactions can take a few seconds to appear.'
	},
	label: 'label'
} as const;
