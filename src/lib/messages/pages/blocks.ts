/** Texts of the lists of blocks, and of the mempool page. */
import { count, plural } from '#lib/text/plural.ts';

export const blocksPage = {
	title: (chain: string): string => `Blocks of ${chain}`,
	lead: (first: number, last: number, tip: number, isOldestFirst: boolean): string =>
		`${count(first)} to ${count(last)} of ${count(tip)}, ${isOldestFirst ? 'oldest' : 'newest'} first.`,
	newest: {
		title: 'Latest blocks',
		note: 'from the daemon, not indexed yet',
		caption: (chain: string): string => `Latest blocks of ${chain}, from the daemon`
	},
	filter: {
		label: 'Blocks',
		from: 'From height',
		to: 'To height',
		order: 'Order',
		orders: { '-height': 'Newest first', height: 'Oldest first' }
	},
	none: {
		filtered: 'No blocks match these filters',
		filteredHint: 'Choose other heights, or show all blocks.',
		empty: 'No blocks indexed yet',
		emptyHint: 'Blocks appear here once indexed.'
	},
	caption: (chain: string): string => `Blocks of ${chain}`,
	files: 'blocks',
	transactionFiles: 'transactions'
} as const;

export const blockTable = {
	columns: {
		height: 'Height',
		hash: 'Hash',
		age: 'Age',
		transactions: 'Transactions',
		size: 'Bytes',
		notarized: 'Notarized'
	},
	notarized: 'Notarized',
	pending: 'Pending',
	unknown: 'Unknown'
} as const;

export const mempoolPage = {
	title: (chain: string): string => `Mempool of ${chain}`,
	lead: 'Pending transactions known to this daemon. Each daemon has its own mempool.',
	unavailable: 'Only the daemon knows its mempool. Confirmed transactions are in the index.',
	transactions: (total: number): string => plural(total, 'transaction'),
	newest: (shown: number): string => `newest ${count(shown)}`,
	none: { title: 'Mempool is empty', text: 'All transactions known to this daemon are confirmed.' },
	caption: 'Mempool transactions, newest first',
	unknown: 'Unknown',
	depends: 'depends on a pending transaction'
} as const;
