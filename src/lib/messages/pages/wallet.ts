/** Texts of the pages of a daemon's wallet: its balance, payments and history. */
import { amountProse } from '#lib/text/amounts.ts';
import { plural } from '#lib/text/plural.ts';

export const wallets = {
	title: 'Wallets',
	lead: 'The wallets of the daemons that you may use.',
	caption: 'Wallets, by chain',
	/** Why a member can use no wallet. */
	lacking: {
		unconfigured: {
			title: 'No wallet is configured',
			text: 'No daemon has the purpose “wallet” in the configuration. Until one has, you cannot build transactions.'
		},
		ungranted: {
			title: 'You have no wallet yet',
			text: 'Ask an admin to give you one on the Members page. Until then you cannot build transactions.'
		}
	},
	columns: {
		wallet: 'Wallet',
		chain: 'Chain',
		balance: 'Balance',
		address: 'Receiving address'
	},
	unread: 'Not available',
	/** There is no wallet with that name. */
	unknown: (id: string): string => `No daemon called “${id}” with a wallet is configured here.`,
	noFile: 'There is no such file of this wallet.',
	noneOf: (chain: string): string => `No daemon with a wallet is configured for ${chain}.`
} as const;

export const walletPage = {
	title: (daemon: string): string => `Wallet of ${daemon}`,
	lead: (chain: string): string => `${chain} held by the keys of this daemon.`,
	tabsLabel: 'Parts of this wallet',
	tabs: {
		summary: 'Summary',
		send: 'Send',
		split: 'Split UTXOs',
		consolidate: 'Consolidate UTXOs',
		history: 'History'
	},
	others: (chain: string): string => `Other ${chain} wallets`,
	send: 'Send coins',
	balance: {
		title: 'Balance',
		available: 'Available',
		availableHint: 'Confirmed and not locked',
		told: 'Total',
		toldHint: 'As reported by the daemon, including change and UTXOs that are locked by reviews',
		confirmed: 'Confirmed',
		pending: 'Pending',
		locked: 'Locked by reviews',
		tokens: 'Locked in tokens',
		tokensHint: 'One satoshi for each base unit. Not part of the balance',
		tokensUnknown: 'Not known: the index does not have all blocks',
		tokensKeyless: 'Not known: the daemon runs without a public key of this wallet',
		unknown: 'Not reported by the daemon',
		immature: 'Immature',
		immatureHint: 'Mined, spendable after 100 blocks on KMD, on most other chains after one'
	},
	unlisted: {
		title: 'UTXOs not listed',
		text: 'The UTXOs of this wallet could not be read in time. If it has thousands, consolidate them.'
	},
	unread: {
		title: (utxos: number): string => `${plural(utxos, 'UTXO')} cannot be read`,
		text: 'The daemon reports no amount or script for them, or not whether they can be spent. They are not listed, and the balance is the one that the daemon reports.',
		file: (utxos: number): string =>
			`The daemon reports ${plural(utxos, 'UTXO')} incompletely, and the file would lack them. No file was made.`
	},
	receive: {
		title: 'Receive',
		address: 'Address',
		copied: 'address',
		code: (address: string): string => `QR code of the address ${address}`,
		addLabel: 'Add label',
		missing: {
			pubkey:
				'The daemon runs without a pubkey. Start it with -pubkey=, the public key of one of its wallet’s keys.',
			'private-key':
				'The daemon runs with a pubkey whose private key is not in its wallet. Do not send coins to it: they would belong to someone else.'
		},
		key: 'Public key',
		copiedKey: 'public key',
		hint: 'Tokens go to the public key, coins to the address.'
	},
	locks: {
		title: 'Locked by reviews',
		caption: 'Reviews that lock UTXOs of this wallet',
		columns: {
			draft: 'Review',
			by: 'Member',
			utxos: 'UTXOs',
			amount: 'Amount',
			until: 'Locked until'
		},
		kinds: { send: 'Transaction', migration: 'Migration' },
		/** What ends a lock without an expiry time. */
		ends: { approval: 'Approved or rejected', block: 'Confirmed' },
		unknown: 'Unknown'
	},
	utxos: {
		title: 'UTXOs',
		caption: 'UTXOs of this wallet',
		list: 'UTXOs',
		filter: 'Filter UTXOs',
		state: 'State',
		every: 'All states',
		sort: 'Sort by',
		sorts: {
			'-amount': 'Largest first',
			amount: 'Smallest first',
			'-age': 'Oldest first',
			age: 'Newest first'
		},
		states: {
			free: 'Available',
			locked: 'Locked',
			pending: 'Pending',
			watched: 'Not spendable'
		},
		columns: {
			utxo: 'UTXO',
			amount: 'Amount',
			state: 'State',
			age: 'Confirmations',
			address: 'Address'
		},
		by: 'by a',
		lockedBy: { send: 'transaction', migration: 'migration' },
		coinbase: 'mined',
		none: {
			title: 'No UTXOs',
			text: 'Coins that are sent to addresses of this wallet appear here.'
		},
		noneFitting: 'No UTXO is in this state.',
		note: (n: number): string => plural(n, 'UTXO'),
		consolidate: 'Consolidate',
		split: 'Split'
	},
	interest: {
		title: 'Accrued interest',
		unknown: 'Unknown',
		counted: 'Computed here',
		rule: (n: number): string =>
			`From ${plural(n, 'UTXO')} of at least 10 KMD, by lock time and age`,
		part: (looked: number, n: number): string => `From the ${looked} largest of ${n} UTXOs`,
		told: 'According to the daemon',
		differs: {
			title: 'The two amounts differ',
			text: 'The daemon may follow other rules than those known here. Its amount is the one that its chain pays.'
		},
		claim: 'Review claim',
		unclaimed:
			'A payment, a split or a consolidation does not claim interest, and loses that of the UTXOs it spends to the miner: its review warns of it. Claim first.'
	},
	single: {
		title: 'One UTXO only',
		text: 'A review locks the whole balance until it is sent or discarded. Split the UTXO to work on several transactions at once.'
	}
} as const;

export const sendCoins = {
	title: (chain: string): string => `Send ${chain}`,
	lead: 'Nothing is sent before you have reviewed the signed transaction.',
	recipient: 'Recipient',
	recipientHint: 'An address, a public key or a label of the address book.',
	amount: 'Amount',
	amountHint: (ticker: string): string =>
		`In ${ticker}. Type max to send everything that is available.`,
	max: 'Max',
	available: 'Available:',
	more: 'More recipients',
	moreHint:
		'One on each line with its amount: ADDRESS 1.5. Paste from a spreadsheet or a CSV file.',
	rate: 'Fee rate',
	rateHint: (ticker: string): string =>
		`${ticker} per 1,000 bytes. Leave empty for the usual rate, 0.0001.`,
	control: 'Coin control: choose UTXOs',
	controlHint: 'Without a choice, the smallest UTXO that suffices is spent, else the largest ones.',
	selected: (n: number): string => `${plural(n, 'UTXO')} selected`,
	/** Compares the selected UTXOs with the amount of the payment, without its fee. */
	missing: 'less than the payment:',
	spare: 'change before the fee:',
	rest: (shown: number): string => `The ${shown} largest are shown.`,
	review: 'Review payment',
	/** @param control name of the safety control that is on */
	stopped: (control: string): string => `${control}: nothing can be built now.`,
	cancel: 'Cancel',
	wallet: 'Wallet',
	noCoins: {
		title: 'No coins available',
		text: 'Everything is pending or locked by reviews, or the wallet is empty.'
	}
} as const;

export const splitPage = {
	title: (daemon: string): string => `Split UTXOs of ${daemon}`,
	lead: 'Pays one UTXO back to the wallet in equal parts. More UTXOs let you prepare several transactions at once.',
	parts: 'Number of parts',
	partsHint: (least: number, most: number): string => `From ${least} to ${most}.`,
	partsFault: (least: number, most: number): string =>
		`Enter a whole number from ${least} to ${most}.`,
	utxo: 'UTXO',
	largest: 'The largest one',
	/** @param utxo shortened */
	gone: (utxo: string): string => `${utxo}, not among these UTXOs any more`,
	review: 'Review split'
} as const;

/** Errors in the payment form. */
export const paymentFaults = {
	noRecipient: 'Enter a recipient.',
	noLabel: (fault: string): string => `${fault} The address book has no such label either.`,
	otherLabel: (label: string, kind: string): string =>
		`“${label}” is a ${kind} in the address book, not an address.`,
	tooSmall: 'The amount must be at least 0.00001: daemons do not relay less.',
	tooMany: (n: number, most: number): string =>
		`These are ${plural(n, 'recipient')}; ${most} are the most for one transaction.`,
	onLine: (line: number, fault: string): string => `Line ${line}: ${fault}`,
	furtherLines: (n: number): string => `${plural(n, 'more line')} with errors.`,
	twice: 'The same recipient is listed twice. Enter it once with the total amount.',
	allTwice: 'Only one recipient can receive everything that is left.',
	/** Satoshi per 1,000 bytes. */
	rate: (least: bigint, most: bigint): string =>
		`Enter a rate from ${amountProse(least)} to ${amountProse(most)}.`
} as const;

export const walletHistory = {
	title: (daemon: string): string => `History of ${daemon}`,
	lead: 'What the wallet’s address received and sent, newest first, with the balance after each transaction.',
	caption: 'Transactions of the wallet, newest first',
	list: 'history',
	filter: 'Filter history',
	direction: 'Direction',
	both: 'Received and sent',
	in: 'Received',
	out: 'Sent',
	kind: 'Kind',
	every: 'All kinds',
	none: { title: 'No transactions', text: 'Nothing here was received or sent yet.' },
	filtered: 'No transactions match these filters',
	columns: {
		transaction: 'Transaction',
		kind: 'Kind',
		time: 'Time',
		net: 'Net amount',
		balance: 'Balance after',
		confirmations: 'Confirmations'
	},
	block: 'block',
	pending: 'Pending',
	/** A transaction that the daemon's wallet has, but neither its chain nor its mempool. */
	dropped: 'Neither confirmed nor in the mempool',
	others: (n: number): string =>
		`The wallet also holds coins at ${plural(n, 'other address', 'other addresses')}, which this history does not include.`,
	fromDaemon: 'Show the newest transactions of all addresses',
	newest: 'Newest transactions',
	newestNote: 'As reported by the daemon'
} as const;
