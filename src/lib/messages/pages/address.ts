/** Texts of the address pages. */
import { plural } from '#lib/text/plural.ts';

const noTokens = (chain: string): string => `No tokens on ${chain}`;

export const addressPage = {
	title: (chain: string): string => `Address on ${chain}`,
	lead: (chain: string): string =>
		`Balance and history on ${chain}. The same address exists on every chain.`,
	elsewhere: 'Same address on',
	label: 'Label',
	summary: 'Summary',
	facts: {
		address: 'Address',
		key: 'Public key',
		balance: 'Balance',
		balanceHint: 'Includes satoshis locked in tokens.',
		received: 'Total received',
		sent: 'Total sent',
		transactions: 'Transactions',
		condition: 'Locked in tokens',
		conditionHint: 'Satoshis locked in tokens or token markers'
	},
	copied: { address: 'address', key: 'public key' },
	chart: { title: 'Balance over time', unit: 'Balance', newest: 'newest 100 transactions' },
	tabsLabel: 'Parts of this address',
	tabs: { transactions: 'Transactions', tokens: 'Tokens', utxos: 'UTXOs' },
	history: {
		caption: 'Transactions of the address, newest first',
		list: 'transactions',
		none: {
			title: (chain: string): string => `No transactions on ${chain}`,
			text: 'The address may be used on another chain.'
		},
		columns: {
			transaction: 'Transaction',
			kind: 'Kind',
			time: 'Time',
			received: 'Received',
			sent: 'Sent',
			net: 'Net amount'
		},
		block: 'block'
	},
	tokens: {
		caption: 'Tokens of this address, newest first',
		list: 'tokens',
		none: {
			gone: { title: noTokens, text: 'Tokens that were here were transferred or burned.' },
			unseen: {
				title: noTokens,
				text: 'Tokens that are sent to the public key of this address appear here.'
			},
			unknown: {
				title: (chain: string): string => `Tokens on ${chain} are not known`,
				text: 'The index does not have all blocks.'
			}
		},
		unnamed: 'Token without a name',
		columns: { token: 'Token', kind: 'Kind', balance: 'Balance', tokenid: 'Token ID' },
		fungible: 'Fungible',
		nft: 'Non-fungible (NFT)'
	},
	utxos: {
		caption: 'Unspent outputs of the address, newest first',
		list: 'UTXOs',
		none: {
			title: (chain: string): string => `No UTXOs on ${chain}`,
			text: 'Everything that this address received was spent, or it is used on another chain.'
		},
		/** For a page of the list that ends early because a long history was read only in part. */
		goesOn: {
			title: 'No UTXOs in these transactions',
			text: 'Older transactions of this address are on the next page.'
		},
		note: (shown: number, isPart: boolean): string =>
			isPart ? `newest ${plural(shown, 'UTXO')}` : plural(shown, 'UTXO'),
		columns: {
			transaction: 'Transaction',
			output: 'Output',
			kind: 'Kind',
			block: 'Block',
			amount: 'Amount'
		},
		condition: 'Token or other condition',
		coins: 'Coins',
		pending: 'Pending',
		source: 'Source: index.',
		fromDaemon: 'Load all UTXOs from the daemon'
	}
} as const;

export const addressesPage = {
	title: (chain: string): string => `Addresses of ${chain}`,
	lead: 'Addresses by balance, highest first. Includes satoshis locked in tokens.',
	caption: (chain: string): string => `Addresses of ${chain} by balance`,
	list: 'addresses',
	none: {
		title: 'No balances yet',
		text: 'Addresses appear here once the index has read the first blocks.'
	},
	columns: {
		address: 'Address',
		balance: 'Balance',
		received: 'Total received',
		transactions: 'Transactions'
	}
} as const;
