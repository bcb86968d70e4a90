/** What the pages of notary approvals say. */
import { plural } from '#lib/text/plural.ts';

export const notaryApprovalsPage = {
	title: 'Notary approvals',
	lead: 'Burns waiting for manual approval. Five notaries must approve each one before it can be imported.',
	feed: 'JSON feed',
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

/** Of one published burn. */
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
		/** Before a relative time. */
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
		/** Before and on a link. */
		also: ['Also available:', 'JSON of this burn']
	},
	burnHex: 'Burn transaction in hex',
	payoutsHex: 'Payouts in hex'
} as const;

/** The facts of a published burn. */
export const burnFacts = {
	route: 'Route',
	ccid: 'CCid',
	token: 'Token',
	burned: 'Burned',
	burnedHint: 'Amount received plus import fee',
	received: 'Amount received',
	units: (amount: bigint): string => plural(amount, 'base unit'),
	/** @param number from 1; null where there is one recipient */
	recipient: (number: number | null): string =>
		number === null ? 'Recipient' : `Recipient ${number}`,
	to: 'to',
	recipientWhat: 'recipient',
	burn: 'Burn',
	burnTxid: 'burn txid',
	block: 'Block',
	/** Behind a height. */
	of: (chain: string): string => `of ${chain}`,
	pending: 'Not confirmed',
	published: 'Published'
} as const;

/** Approving a burn with the wallet of a notary. */
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
