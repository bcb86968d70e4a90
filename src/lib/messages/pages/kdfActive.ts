/** Texts of the page of an active coin. */
import { plural } from '#lib/text/plural.ts';

export const activeCoin = {
	balance: 'Balance',
	/** Follows the spendable amount. */
	unspendable: (amount: string): string => `${amount} not spendable yet`,
	/** Follows the spendable amount, where the node does not report the other one. */
	unspendableUnknown: 'What is not spendable yet is unknown.',
	/** Follows the sum of one page of a wallet with many addresses. */
	part: 'Not all addresses of the account are counted.',
	asked: 'The trading node is still reading it',
	askedLong: 'The trading node is still reading it. This page shows it as soon as it is known.',
	notKnown: 'Unknown',
	asOf: 'As of',
	address: 'Address',
	copied: 'address',
	qr: (ticker: string): string => `Address for ${ticker} as QR code`,
	passive: (ticker: string): string =>
		`${ticker} was disabled and stays loaded only for its tokens. Activate it again to use it.`,
	strangeAddress: (ticker: string): string =>
		`The node gives an address that is not one of ${ticker}, so it is not shown: coins sent there could be lost. Compare the coins file of the node with the one here.`,
	confirmations: 'Required confirmations',
	notarization: 'Notarization required',
	/** Since when swaps require it. */
	swapsSince: { activated: 'Set when activated', changed: 'Changed' },
	notTold: 'Activated elsewhere: the node does not report it.',
	yes: 'Yes',
	no: 'No',
	swaps: {
		title: 'Change what swaps wait for',
		hint: (ticker: string): string =>
			`For swaps of ${ticker} from now on, until it is disabled or the trading node is restarted.`,
		confirmations: 'Required confirmations',
		notarization: 'Require notarization (dPoW)',
		save: 'Change',
		fault: 'Enter a whole number from 0 to 1000.',
		done: (ticker: string, confirmations: number, notarization: boolean): string =>
			`Swaps of ${ticker} now wait for ${plural(confirmations, 'confirmation')}${notarization ? ' and a notarization' : ''}.`,
		notNotarized: (ticker: string): string =>
			`The trading node does not wait for notarizations of ${ticker}: its chain has none.`
	},
	addresses: {
		title: 'Addresses',
		note: (account: number): string => `Account ${account}`,
		caption: 'Addresses of the account',
		columns: { address: 'Address', side: 'Chain', path: 'Path', balance: 'Balance' },
		external: 'External',
		internal: 'Internal (change)',
		none: 'No address of this account is known on this page.',
		account: 'Account',
		show: 'Show',
		back: 'Back',
		next: 'More addresses',
		csv: 'Addresses as CSV',
		noSuch: 'The coins file has no such coin.',
		notActive: (ticker: string): string =>
			`${ticker} is not active on this node. Activate the coin first.`
	},
	tokens: {
		title: 'Tokens',
		caption: (ticker: string): string => `Active tokens of ${ticker}`,
		columns: { token: 'Token', confirmations: 'Required confirmations', balance: 'Balance' },
		further: (tokens: number): string =>
			`${plural(tokens, 'more active token')}: see the list of coins.`
	},
	nfts: {
		asOf: 'The node lists NFTs only when they are activated. As of',
		elsewhere: 'Activated elsewhere: the node lists NFTs only when they are activated.'
	},
	history: {
		title: 'History',
		caption: (ticker: string): string => `Transactions of ${ticker}`,
		columns: { time: 'Time', id: 'Transaction', with: 'From or to', change: 'Change', fee: 'Fee' },
		unconfirmed: 'Unconfirmed',
		copied: 'transaction ID',
		none: 'No transactions yet.',
		reading: 'The node is still reading older transactions.',
		readingUnknown: 'The node does not report whether it has read all transactions.',
		notKept: {
			title: 'No history kept',
			text: 'Activated without its transaction history (tx_history). An admin can disable the coin; it is kept when the coin is activated again with it.'
		},
		/** Replaces the text above for an EVM coin on a released node. */
		notKeptOfEvm:
			'A node of this version keeps a history of an EVM coin only when the coin is activated with node URLs (legacy call) and its transaction history.',
		notHere: 'Komodeck shows no history of coins of this kind.',
		failed: 'The history could not be read',
		newer: 'Newer',
		older: 'Older'
	},
	disableTitle: 'Disable',
	disableAdmin: 'An admin can disable it.'
} as const;
