/** Texts of the lists of transactions: of a chain, of a block, and of the mempool. */
import { plural } from '#lib/text/plural.ts';

export const transactionTable = {
	transaction: 'Transaction',
	kind: 'Kind',
	block: 'Block',
	age: 'Age',
	fee: 'Fee',
	total: 'Output total',
	inputs: 'Inputs',
	outputs: 'Outputs',
	size: 'Bytes',
	firstSeen: 'First seen'
} as const;

export const chainTransactions = {
	title: (chain: string): string => `Transactions of ${chain}`,
	lead: {
		'-place': 'Confirmed transactions, newest first.',
		place: 'Confirmed transactions, oldest first.'
	},
	mempool: 'Mempool',
	filter: 'Transactions',
	kind: 'Kind',
	allKinds: 'All kinds',
	block: 'In block',
	order: 'Order',
	orders: { '-place': 'Newest first', place: 'Oldest first' },
	caption: (chain: string): string => `Transactions of ${chain}`,
	none: {
		filtered: 'No transactions match these filters',
		filteredHint: 'Choose another kind or block, or show all transactions.',
		empty: 'No transactions indexed yet',
		emptyHint: 'Transactions appear here once their block is indexed.'
	},
	files: 'transactions',
	/** Button that shows the transactions that arrived since the list was loaded. */
	showNew: (count: number): string => `Show ${plural(count, 'new transaction')}`
} as const;
