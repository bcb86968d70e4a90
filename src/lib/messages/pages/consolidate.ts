/** Texts of the page that consolidates UTXOs. */

export const consolidate = {
	title: (chain: string): string => `Consolidate UTXOs on ${chain}`,
	lead: 'Combines up to 100 of the wallet’s largest UTXOs into one, paid to its own key. A burn can spend at most 10 UTXOs.',
	wallet: 'Wallet to consolidate',
	review: 'Review consolidation',
	unavailable: 'Wallet unavailable'
} as const;
