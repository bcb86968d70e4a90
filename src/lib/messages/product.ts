/** The product's description of itself, for browsers, search results and link previews. */
export const PRODUCT = {
	name: 'Komodeck',
	description: 'The team console for Komodo Smart Chains and the Komodo trading node.'
} as const;
