/** Texts of the notary approvals pages. */
import { plural } from '#lib/text/plural.ts';

export const notaryApprovalsPage = {
	title: 'Notary approvals',
	lead: 'Burns waiting for manual approval. Five notaries must approve each one before it can be imported.',
	feed: 'JSON feed',
	several: 'Approve burns',
	empty: {
		title: 'No pending requests',
		text: 'Requests are made on the page of a migration, and appear here and in the JSON feed.'
	},
	caption: 'Burns waiting for approvals, newest first',
	columns: {
		route: 'Route',
		received: 'Amount received',
		approvals: 'Approvals',
		published: 'Published',
		burn: 'Burn',
		actions: 'Actions'
	},
	to: 'to',
	units: (amount: bigint): string => `${plural(amount, 'base unit')} of a token`,
	counted: (counted: number, needed: number): string => `${counted} of ${needed}`,
	burnTxid: 'burn txid',
	approve: 'Check and approve',
	olderLabel: 'Older burns',
	older: 'Older'
} as const;

/** Texts of the page of a published burn. */
export const publishedBurnPage = {
	title: (destination: string): string => `Burn for ${destination}`,
	lead: (needed: number, destination: string): string =>
		`Published for notary approval. With ${needed} approvals it is imported on ${destination}.`,
	migration: 'View migration',
	imported: (destination: string): string => `Imported on ${destination}.`,
	noMore: 'No more approvals are needed.',
	approved: (counted: number): string => `Approved by ${plural(counted, 'notary', 'notaries')}.`,
	complete: 'The approvals are complete. The import follows by the policy of the migration.',
	progress: (counted: number, needed: number): string =>
		`Approved by ${counted} of ${needed} notaries.`,
	counts: 'Each notary counts once, as soon as the approval is confirmed.',
	recorded: 'Approval recorded.',
	approvals: {
		title: 'Approvals',
		empty: 'No approvals yet',
		caption: 'Approvals, oldest first',
		columns: { notary: 'Notary', state: 'State', block: 'Block', transaction: 'Transaction' },
		key: 'notary public key',
		unknown: 'Unknown',
		none: 'None',
		/** Precedes a relative time. */
		given: 'Submitted',
		countsOnce: 'This notary counts once. Submitted',
		proof: 'Proof',
		states: {
			mined: 'Confirmed',
			pending: 'Pending',
			unknown: 'Not checked yet',
			gone: 'Orphaned',
			prepared: 'Not sent yet'
		}
	},
	submit: {
		title: 'Submit an approval transaction',
		label: (destination: string): string => `Txid of the approval on ${destination}`,
		hint: (destination: string): string =>
			`The result of sendrawtransaction. Komodeck looks it up on ${destination} before it counts; no account needed.`,
		button: 'Submit'
	},
	burn: 'Burn',
	operators: {
		title: 'For notary operators',
		note: 'With the daemon’s command line',
		/** Text before and in a link. */
		also: ['Also available:', 'JSON of this burn']
	},
	burnHex: 'Burn transaction in hex',
	payoutsHex: 'Payouts in hex'
} as const;

/** Labels of the facts of a published burn. */
export const burnFacts = {
	route: 'Route',
	ccid: 'CCid',
	token: 'Token',
	burned: 'Burned',
	burnedHint: 'Amount received plus import fee',
	received: 'Amount received',
	units: (amount: bigint): string => plural(amount, 'base unit'),
	/** @param number from 1; null when there is a single recipient */
	recipient: (number: number | null): string =>
		number === null ? 'Recipient' : `Recipient ${number}`,
	to: 'to',
	recipientWhat: 'recipient',
	burn: 'Burn',
	burnTxid: 'burn txid',
	block: 'Block',
	/** Follows a height. */
	of: (chain: string): string => `of ${chain}`,
	pending: 'Not confirmed',
	published: 'Published'
} as const;

/** Texts of the page that approves a burn with a notary's wallet. */
export const approvePage = {
	title: (destination: string): string => `Approve a burn for ${destination}`,
	lead: (source: string, counted: number, needed: number): string =>
		`Approve to confirm that this burn exists on ${source}. ${counted} of ${needed} approvals.`,
	imported: 'This burn has been imported; no approvals are needed.',
	notBuilt: 'No approval was built',
	check: {
		title: 'Check',
		daemon: (source: string): string => `Response of the ${source} daemon`,
		own: 'Decoded by Komodeck',
		lead: (source: string): string =>
			`Checks with ${source} whether the burn can be approved, and verifies the proof independently.`,
		again: 'Check again',
		start: 'Check burn'
	},
	approve: {
		title: 'Approve',
		noWallet: (destination: string): string =>
			`No ${destination} daemon is configured for notaries. Set the purpose “notary” for a daemon in the configuration.`,
		wallet: 'From wallet',
		key: 'notary public key',
		review: 'Review approval',
		next: 'The burn is checked again. You will review the approval before it is sent.',
		chooseWallet: 'Choose a notary wallet.'
	}
} as const;

/** Texts of the page that selects burns to approve with all notary wallets at once. */
export const approveBurnsPage = {
	title: 'Approve burns',
	lead: 'Approve several burns with all notary wallets that you may use. You review each transaction before it is sent.',
	notQueued: 'No approval was built',
	burns: 'Burns',
	caption: 'Burns waiting for approvals, newest first',
	columns: {
		choose: 'Choose',
		route: 'Route',
		received: 'Amount received',
		approvals: 'Approvals',
		wallets: 'Your wallets',
		burn: 'Burn'
	},
	choose: (source: string, destination: string, txid: string): string =>
		`Approve the burn ${txid.slice(0, 8)} from ${source} to ${destination}`,
	ready: (ready: number): string => `${ready} can approve`,
	noWallet: 'None can approve',
	review: 'Review approvals',
	next: 'Each burn is checked again, and each wallet signs an approval of it. Nothing is sent before you confirm it.',
	refused: {
		'no-burn': 'Choose at least one burn that waits for approvals.',
		'too-many': (most: number): string => `Choose at most ${most} burns at once.`,
		'no-wallet':
			'You may use no notary wallet of these chains. An admin grants wallets on your page under Members.'
	},
	queues: 'Approval queues',
	queuesCaption: 'Approval queues, newest first',
	queueColumns: { created: 'Created', approvals: 'Approvals', state: 'State', by: 'Created by' }
} as const;

/** Texts of the page of an approval queue: what each wallet signs, and the result of each approval. */
export const approvalQueuePage = {
	title: (approvals: number, burns: number): string =>
		`${plural(approvals, 'approval')} of ${plural(burns, 'burn')}`,
	lead: 'Each approval is a transaction of its own. Review what each wallet signs, then send all of them together.',
	noSuch: 'There is no such approval queue here.',
	failed: 'Request failed',
	unsent: (ready: number): string =>
		ready === 1
			? 'One approval is ready to send. It has not been sent yet'
			: `${ready} approvals are ready to send. None of them has been sent yet`,
	unsentText:
		'Signed and verified: every burn passed all checks, and every transaction below is an approval of its burn and nothing else.',
	working: 'Building approvals',
	workingText:
		'Each burn is checked on its chain before a wallet signs. This page updates by itself.',
	awaiting: (held: number): string =>
		held === 1
			? 'One approval waits for other members'
			: `${held} approvals wait for other members`,
	awaitingText:
		'The policies ask other members to approve what these wallets sign. Each is sent automatically after that.',
	request: 'Open approval request',
	onTheWay: (sent: number): string => `${plural(sent, 'approval')} on the way`,
	onTheWayText: 'Usually confirmed with the next block. Nothing can be sent twice.',
	done: (confirmed: number): string => `${plural(confirmed, 'approval')} confirmed`,
	ended: 'Queue ended',
	left: (left: number): string =>
		left === 1
			? 'One approval was not sent; its row says why.'
			: `${left} approvals were not sent; their rows say why.`,
	discarded: 'Discarded',
	send: (ready: number): string => `Send ${plural(ready, 'approval')}`,
	discard: 'Discard',
	again: 'Build unsent approvals again',
	chooseOne: 'Choose at least one approval that is ready to send.',
	/** Precedes an amount. */
	cost: 'Network fees:',
	/** Heading of the approvals of one burn. */
	approvals: (source: string, destination: string, txid: string): string =>
		`${source} → ${destination}, burn ${txid.slice(0, 8)}`,
	gone: 'This burn is no longer published.',
	burn: 'View burn',
	check: 'Check again',
	caption: (txid: string): string => `Approvals of the burn ${txid.slice(0, 8)}`,
	columns: {
		wallet: 'Wallet',
		state: 'State',
		fee: 'Network fee',
		transaction: 'Transaction'
	},
	choose: (daemon: string): string => `Send the approval by ${daemon}`,
	details: (daemon: string): string => `What ${daemon} signs`,
	inputs: (daemon: string): string => `Inputs of the approval by ${daemon}`,
	outputs: (daemon: string): string => `Outputs of the approval by ${daemon}`,
	until: 'Inputs are locked until',
	states: {
		waiting: 'Waiting for its wallet',
		building: 'Building',
		ready: 'Ready to send',
		confirmed: 'Sending',
		refused: 'Refused',
		lapsed: 'Not sent in time'
	},
	queueStates: { open: 'Open', done: 'Done', discarded: 'Discarded' }
} as const;
