/** Texts of the command palette, apart from its rows. */
export const PALETTE = {
	title: 'Command palette',
	results: 'Results',
	placeholder: 'Search or type a command…',
	label: 'Search or type a command',
	recent: 'Recent pages',
	actions: 'Actions',
	pages: 'Pages',
	search: 'Search',
	searchFor: (text: string): string => `Search all chains for “${text}”`
} as const;
