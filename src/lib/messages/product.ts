/** What the product says of itself where its pages are named: in browsers, search results and previews of links. */
export const PRODUCT = {
	name: 'Komodeck',
	description: 'The team console for Komodo Smart Chains and the Komodo trading node.'
} as const;
