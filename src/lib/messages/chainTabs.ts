/** The tabs above all pages of a chain. */
export const chainTabs = {
	label: (chain: string): string => `Pages of ${chain}`,
	summary: 'Summary',
	blocks: 'Blocks',
	transactions: 'Transactions',
	tokens: 'Tokens',
	notarizations: 'Notarizations',
	transfers: 'Transfers',
	wallet: 'Wallet',
	selfImport: 'Self-import'
} as const;

/** Message on the pages of a chain that is not configured. */
export const unknownChain = (chain: string): string => `No chain “${chain}” is configured.`;
