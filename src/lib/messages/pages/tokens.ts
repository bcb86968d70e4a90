/** Texts of the list of a chain's tokens. */

export const tokensPage = {
	title: (chain: string): string => `Tokens on ${chain}`,
	transactions: 'Transactions',
	create: 'Create token',
	login: 'Log in to create tokens',
	filter: 'Tokens',
	name: 'Name starts with',
	kind: 'Kind',
	kinds: { all: 'All', fungible: 'Fungible', nft: 'Non-fungible (NFT)' },
	imported: 'Imported',
	importedOptions: { all: 'All', yes: 'Yes', no: 'No' },
	order: 'Order',
	orders: {
		'-created': 'Newest first',
		created: 'Oldest first',
		name: 'Name',
		'-supply': 'Largest supply',
		'-holders': 'Most holders',
		'-transfers': 'Most transfers'
	},
	noMatch: {
		title: 'No tokens match these filters',
		before: 'Filters match the beginning of names.',
		link: 'Search everywhere',
		after: 'for part of a name, an ID, or a name with another spelling.'
	},
	none: {
		title: (chain: string): string => `No tokens on ${chain} yet`,
		text: 'Create the first one. Each base unit locks 1 satoshi.'
	},
	columns: {
		name: 'Name',
		kind: 'Kind',
		supply: 'Supply',
		holders: 'Holders',
		transfers: 'Transfers',
		creator: 'Creator',
		origin: 'Origin',
		tokenid: 'Token ID'
	},
	unnamed: 'Token without a name',
	states: { unknown: 'Unknown whether sent', confirmed: 'Confirmed', pending: 'Pending' },
	native: 'Native',
	elsewhere: 'another chain',
	list: 'tokens'
} as const;
