/** Texts of the trading node pages. */
import { count, plural } from '#lib/text/plural.ts';

/** States of a coin, in the list and in its filter. */
export const COIN_STATES = {
	active: 'Active',
	'under-way': 'Activating',
	failed: 'Failed',
	inactive: 'Inactive'
} as const;

/** State of a disabled platform coin whose tokens are active. */
export const PASSIVE_COIN = 'Passive, kept for its tokens';

/** States of an activation. */
export const TASK_STATES = {
	probing: 'Checking servers',
	starting: 'Starting',
	running: 'In progress',
	action: 'Action required',
	waiting: 'Retrying',
	active: 'Active',
	failed: 'Failed',
	cancelled: 'Canceled',
	void: 'Lost'
} as const;

export const kdfList = {
	notConfigured: 'No trading node is configured.',
	noSuchNode: 'There is no such trading node here.',
	adminOnly: 'Only an admin may do this.',
	title: 'Trading node',
	lead: 'Activate coins on your Komodo DeFi (KDF) node',
	verify: 'Verify a message',
	sign: 'Sign a message',
	signers: 'Remote signers',
	servers: 'Electrum servers',
	unchanged: 'Nothing was changed',
	noNode: {
		title: 'No trading node configured',
		text: 'A node beside the daemons is found by its MM2.json in the Komodo folder; others are named under “nodes” in the configuration file.'
	},
	paused: {
		title: 'Paused: this trading node rejected the configured password',
		text: (left: number | null): string =>
			`After ten wrong passwords it would lock Komodeck out until it is restarted${left === null ? '' : `; ${plural(left, 'try', 'tries')} left`}. Compare rpc_password in its MM2.json with the configuration here.`,
		resume: 'Password fixed: resume',
		admin: 'An admin can fix this.'
	},
	silent: 'Active coins unknown',
	coinsFile: 'Part of the coins file is not used',
	coins: 'Coins',
	search: 'Ticker or name',
	state: 'State',
	anyState: 'Any',
	empty: {
		noFile: 'No coins file was found',
		noFileText:
			'Set KOMODECK_COINS to the coins file of the node, with its server lists beside it.',
		noMatch: 'No coins match',
		noMatchText: 'Tickers match from the beginning, names by any word.'
	},
	caption: 'Coins of the trading node',
	columns: { coin: 'Coin', protocol: 'Protocol', balance: 'Balance', state: 'State' },
	/** Options of the filter by balance. */
	balances: { some: 'With a balance', none: 'Empty' },
	/** Active coins that the filter by balance does not list because their balances are not known. */
	left: {
		reading: (coins: number): string =>
			coins === 1
				? 'One more coin is checked as soon as its balance is read.'
				: `${coins} more coins are checked as soon as their balances are read.`,
		unsure: (coins: number): string =>
			coins === 1
				? 'The balance of one active coin is not known in full.'
				: `The balances of ${coins} active coins are not known in full.`,
		beyond: (coins: number): string =>
			coins === 1
				? 'One more active coin was not checked. Search for its ticker.'
				: `${coins} more active coins were not checked. Search for their tickers.`
	},
	reading: 'Reading…',
	/** For the balance of an HD wallet. */
	oneAccount: (account: number): string => `Only account ${account} is counted.`,
	unknownBalance: 'Unknown',
	unknownProtocol: 'Unknown',
	testnet: ', test network',
	pages: { label: 'Pages of coins', back: 'Back', more: 'More coins' },
	node: {
		title: 'Node',
		name: 'Name',
		state: 'State',
		states: { up: 'Online', busy: 'Degraded', unknown: 'Not checked yet', down: 'Offline' },
		version: 'Version',
		unknownVersion: 'Unknown',
		device: 'Connect a hardware wallet'
	},
	recent: 'Recent activations',
	by: (member: string): string => `by ${member}`,
	confirm: {
		refused: 'The node refused the password again. Correct it before you confirm once more.',
		done: 'Calls go out again.'
	}
} as const;

export const kdfCoin = {
	lead: (name: string, node: string): string => `${name} on the trading node ${node}`,
	failed: 'Request failed',
	silent: 'State unknown',
	unsupported: {
		title: 'Activation of this protocol is not supported',
		text: (ticker: string, protocol: string | null): string =>
			protocol === null
				? `The coins file does not name the protocol of ${ticker}.`
				: `${ticker} has the protocol ${protocol}.`
	},
	viewer: {
		title: 'Operators activate coins',
		text: (ticker: string): string => `You can see the state of ${ticker}.`
	},
	daemon: 'Native node',
	methods: 'Activation methods',
	active: {
		title: 'Active',
		again: 'Activate again with other settings'
	},
	activate: 'Activate',
	state: 'State',
	now: 'Now',
	unknown: 'Unknown',
	protocol: 'Protocol',
	swaps: 'For swaps',
	path: 'Path',
	signs: 'Signs messages',
	yes: 'Yes',
	no: 'No',
	noPrefix: 'No prefix in the coins file',
	force: 'Also disable dependent tokens',
	forceHint: 'force_disable. Open orders of the coin are canceled either way.',
	disable: (ticker: string): string => `Disable ${ticker}`,
	earlier: 'Earlier activations',
	/** `passive`: null when the node does not report it. */
	disabled: (ticker: string, passive: boolean | null): string =>
		passive === null
			? `${ticker} was disabled. Whether it stays loaded for its tokens is unknown.`
			: passive
				? `${ticker} is passive now: its tokens are still active.`
				: `${ticker} is not active any more.`,
	watched: (daemon: string, address: string): string => `${daemon} now watches ${address}.`
} as const;

export const kdfTask = {
	noSuch: 'There is no such activation here.',
	noResult: 'There is no result of such an activation here.',
	device: 'Hardware wallet',
	deviceReady: 'Connected',
	title: (coin: string): string => `Activation of ${coin}`,
	deviceLead: (node: string, member: string): string =>
		`Set-up on the trading node ${node}, started by ${member}`,
	lead: (method: string, node: string, member: string): string =>
		`${method} on the trading node ${node}, started by ${member}`,
	failed: 'Request failed',
	joined: (coin: string): string =>
		`${coin} is being activated already: this is the task in progress`,
	deviceDone: 'Hardware wallet connected',
	done: (coin: string): string => `${coin} is active`,
	before: {
		title: (coin: string): string => `${coin} was active already`,
		text: (coin: string): string =>
			`The node may not use the settings and tokens chosen here. To apply them, an admin disables ${coin}. Then activate it again.`
	},
	canceled: (coin: string): string => `Canceled. ${coin} is not in use.`,
	/** The node did not respond to the cancellation. */
	canceledUnsure: {
		title: 'Canceled, but the trading node may have acted',
		text: (coin: string): string =>
			`It is unknown whether it activated ${coin}. The list of coins shows whether ${coin} is active. If the node does not serve that list, start again: a coin that is active stays active.`
	},
	canceledDevice: 'Canceled. The device is not in use.',
	lost: {
		title: (task: number | null): string =>
			`The node does not know task ${task ?? ''} any more`.replace('  ', ' '),
		text: 'The trading node was restarted, or the task was canceled elsewhere. No funds were touched. Start again.',
		/** The node serves no call that tells whether the coin is active. */
		unsure: (coin: string): string =>
			`The trading node was restarted, or the task ended elsewhere. The node serves no call that tells whether ${coin} is active. No funds were touched. Start again: a coin that is active stays active.`
	},
	admin: 'An admin can fix this.',
	developers: 'Details for developers',
	copiedError: 'the error of the node',
	retrying: 'Retrying',
	attemptFailed: (attempt: number, of: number): string => `Attempt ${attempt} of ${of} failed.`,
	nextIn: 'The next one starts in',
	aMoment: 'a moment',
	ending: (member: string): string => `${member} canceled this task`,
	continues: 'The task continues on the trading node. Komodeck checks again automatically.',
	/** For an activation that has no task on the node yet. */
	heldBack:
		'Nothing is sent to the trading node meanwhile. The activation starts as soon as the safety control is off.',
	pad: {
		pin: 'PIN of the hardware wallet',
		passphrase: 'Passphrase of the hardware wallet',
		left: 'Time left:',
		none: 'none',
		attempt: (n: number): string => `Attempt ${n}.`,
		pinHint:
			'Your device shows a shuffled keypad. Press the positions of your PIN digits, here or on the numeric keys.',
		passphraseHint: 'Sent to the trading node and not stored.',
		handOver: 'Hand over',
		taken: 'is entering the PIN.',
		enter: 'Enter PIN',
		waiting: 'Waiting for a member with the device.'
	},
	balances: {
		title: 'Balance',
		caption: 'Balances at the activation',
		columns: { address: 'Address', spendable: 'Spendable', unspendable: 'Not spendable' },
		unknown: 'Not reported',
		csv: 'Addresses and balances as CSV'
	},
	servers: {
		title: 'Servers',
		caption: 'Server test results',
		columns: { server: 'Server', result: 'Result', height: 'Height', time: 'Time' },
		/** For readers who may not see its address. */
		nth: (at: number): string => `Server ${at}`,
		online: 'Online',
		offline: 'Offline',
		ms: (time: number): string => `${count(time)} ms`
	},
	facts: {
		title: 'Now',
		state: 'State',
		step: 'Step',
		running: 'Running for',
		duration: 'Duration',
		attempt: 'Attempt',
		task: 'Task ID',
		block: 'Block',
		firstBlock: 'Read from block',
		/** The requested first block is before the start of shielded transactions. */
		firstRequested: (block: number): string =>
			`${count(block)} was requested: before it there were no shielded transactions.`,
		progress: 'Blocks read',
		platform: 'Platform',
		contract: 'Contract',
		coinbase: 'Coinbase outputs',
		maturity: (blocks: number): string => `spendable after ${plural(blocks, 'block')}`,
		locked: 'Locked by swaps',
		device: 'Device'
	},
	buttons: {
		open: (coin: string): string => `Open ${coin}`,
		sign: 'Sign a message',
		activate: (coin: string): string => `Activate ${coin}`,
		back: (coin: string): string => `Back to ${coin}`,
		retry: 'Retry now',
		cancel: 'Cancel task',
		again: 'Start again',
		device: 'Connect hardware wallet',
		method: (title: string): string => `Activate: ${title}`,
		edit: 'Edit settings'
	},
	result: {
		accounts: 'Accounts',
		accountsCaption: 'Accounts of the wallet',
		columns: {
			account: 'Account',
			path: 'Path',
			addresses: 'Addresses',
			total: 'Total',
			address: 'Address',
			derivation: 'Derivation',
			pubkey: 'Public key'
		},
		unspendable: (amount: string): string => `, ${amount} not spendable`,
		notReported: 'Not reported',
		tokens: 'Tokens',
		tokensText: 'Active; balances were not requested.',
		nfts: 'NFTs',
		nftCount: (nfts: number): string => `${count(nfts)} in this wallet`,
		noNfts: 'None in this wallet.',
		nftsLabel: 'NFTs of this wallet',
		nft: (id: string): string => `#${id}`,
		copiedContract: 'contract',
		nftAmount: (amount: string): string => `Amount: ${amount}`,
		keys: 'Keys',
		keysCaption: 'Keys of the addresses',
		copiedAddress: 'address',
		copiedPubkey: 'public key',
		nodeKey: 'Node key (Iguana)'
	},
	previous: 'Previous attempt',
	activity: 'Activity'
} as const;
