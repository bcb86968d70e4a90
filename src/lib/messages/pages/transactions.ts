/** Texts of the pages of the team's own transactions: the list, a review, and a sent transaction. */
import { amountProse, namedAmount } from '#lib/text/amounts.ts';
import { count, plural } from '#lib/text/plural.ts';

/** Kinds of the team's transactions, as headings. */
export const SEND_KINDS = {
	'token-create': 'Token creation',
	'token-transfer': 'Token transfer',
	'token-burn': 'Token burn',
	'coin-send': 'Payment',
	merge: 'UTXO consolidation',
	split: 'UTXO split',
	claim: 'Interest claim',
	'notary-approval': 'Notary approval',
	'self-import-source': 'Self-import source',
	'self-import': 'Self-import'
} as const;

/** States of the team's transactions. */
export const SEND_STATES = {
	reviewed: 'Awaiting review',
	'needs-approval': 'Awaiting approval',
	next: 'Next',
	broadcasting: 'Sending',
	unknown: 'Unknown',
	broadcast: 'Pending',
	confirmed: 'Confirmed',
	rejected: 'Rejected',
	discarded: 'Discarded'
} as const;

export const transactionList = {
	title: 'Transactions',
	lead: 'Created and sent by your team, newest first.',
	/** For members who may not use every wallet. */
	leadOfSome: 'Created and sent by your team, as far as you may read it, newest first.',
	list: 'transactions',
	filters: { label: 'Filter transactions', all: 'All', by: 'Created by' },
	empty: {
		title: 'No transactions yet',
		titleOfSome: 'No transactions that you may read yet',
		noMatch: 'No transactions match',
		text: 'Create, transfer or burn tokens on a chain’s Tokens page.'
	},
	columns: {
		kind: 'Type',
		chain: 'Chain',
		state: 'State',
		token: 'Token',
		amount: 'Amount',
		recipient: 'Recipient',
		transaction: 'Transaction',
		created: 'Created'
	},
	recipients: (recipients: number): string => plural(recipients, 'recipient'),
	by: (member: string): string => `by ${member}`
} as const;

/** Texts that the reviews of transactions and self-imports share. */
export const review = {
	failed: 'Request failed',
	unsent: 'Nothing has been sent yet',
	expired: 'Review expired',
	discarded: 'Discarded',
	again: 'Start again',
	unread: 'Status unavailable',
	lastKnown: (why: string): string => `${why} Showing the last known data.`,
	discard: 'Discard',
	refresh: 'Refresh',
	resend: 'Send again',
	/** Follows the statement that the transaction may still be confirmed. */
	resendable:
		'Sending the same bytes again is safe: they can be confirmed only once. Do not create a new transaction instead: both could be confirmed.',
	/** The same where a rule of the policies keeps the member from sending again; follows the rule. */
	held: 'Approvals cannot be requested for bytes that may have been sent. Do not create a new transaction before this page says that this one cannot be confirmed any more: both could be confirmed. Then choose “Start again”.',
	facts: {
		cost: 'Cost',
		gain: 'Credited',
		gainHint: 'Interest, less the network fee',
		state: 'State',
		fee: 'Network fee',
		/** @param fee satoshi @param bytes size of the transaction, more than 0 */
		rate: (fee: bigint, bytes: number): string =>
			`${amountProse((fee * 10n) / BigInt(bytes), 1)} satoshi per byte`,
		size: 'Size',
		sizes: (bytes: number, payload: number): string =>
			payload === 0
				? plural(bytes, 'byte')
				: `${plural(bytes, 'byte')}, ${count(payload)} of them payload`,
		txid: 'Transaction ID',
		copied: 'transaction ID',
		wallet: 'Wallet',
		created: 'Created',
		by: (member: string): string => `by ${member},`,
		sent: '; sent'
	},
	columns: { what: 'Type', from: 'From', address: 'Address', amount: 'Amount' }
} as const;

const tokens = (units: bigint, name: string, decimals: number): string =>
	decimals === 0
		? `${plural(units, 'base unit')} of “${name}”`
		: `${namedAmount(amountProse(units, decimals), name)} (${plural(units, 'base unit')})`;

export const sentTransaction = {
	noSuch: 'There is no such transaction here.',
	unnamedToken: 'the token',
	/** What a transaction does, as a sentence; amounts in satoshi or base units. */
	does: {
		consolidate: (utxos: number, total: bigint, chain: string): string =>
			`Combines ${plural(utxos, 'UTXO')} of this wallet into one, ${amountProse(total)} ${chain} in total.`,
		pay: (amount: bigint, chain: string, recipients: readonly string[]): string =>
			recipients.length === 1
				? `Sends ${amountProse(amount)} ${chain} to ${recipients[0]}.`
				: `Sends ${amountProse(amount)} ${chain} to ${plural(recipients.length, 'recipient')}.`,
		claim: (interest: bigint, chain: string, utxos: number): string =>
			`Claims ${amountProse(interest)} ${chain} of interest on ${plural(utxos, 'UTXO')} of this wallet.`,
		split: (parts: number, amount: bigint, chain: string): string =>
			`Splits ${amountProse(amount)} ${chain} of this wallet into ${plural(parts, 'equal UTXO')}.`,
		approve: (chain: string, source: string): string =>
			`Approves on ${chain}, as a notary, a burn on ${source}.`,
		create: (name: string, chain: string, supply: bigint, decimals: number): string =>
			`Creates the token “${name}” on ${chain} with a supply of ${
				decimals === 0
					? plural(supply, 'base unit')
					: `${amountProse(supply, decimals)} (${plural(supply, 'base unit')})`
			}, held by this wallet and backed by ${amountProse(supply)} ${chain}.`,
		createNonFungible: (name: string, chain: string): string =>
			`Creates the non-fungible token “${name}” on ${chain}, held by this wallet.`,
		burn: (units: bigint, name: string, decimals: number): string =>
			`Permanently burns ${tokens(units, name, decimals)}.`,
		transfer: (units: bigint, name: string, decimals: number, recipient: string): string =>
			`Transfers ${tokens(units, name, decimals)} to ${recipient.slice(0, 10)}…${recipient.slice(-6)}.`,
		selfImport: (amount: bigint, chain: string, address: string): string =>
			`Creates ${amountProse(amount)} ${chain} for ${address}.`
	},
	approval: {
		title: 'Awaiting approval',
		done: 'Approved',
		/** An expected approval, shown in the review. */
		ahead: 'Approval needed',
		aheadText: (rule: number, needed: number): string =>
			`Rule ${rule} of the policies asks ${needed === 1 ? 'one other member' : `${needed} other members`} to approve this.`,
		/** @param action label of the button that sends */
		aheadNext: (action: string): string =>
			`${action} asks for the approval; nothing goes out before it.`,
		refusedAhead: 'Sending would be refused now',
		rejected: (by: string, reason: string): string => `Rejected by ${by}: “${reason}”.`,
		link: 'Open approval request'
	},
	lockedUntil: 'Signed and verified: the transaction matches your request. Inputs are locked until',
	sending: {
		title: 'Sending',
		/** Around how long ago it was received. */
		silent: {
			before: (daemon: string): string => `${daemon} received the transaction`,
			after: 'and has not responded: it may be in the network. Do not create another one.'
		},
		refresh: 'Refresh in a moment. The transaction cannot be sent twice.'
	},
	pending: {
		title: 'Pending',
		text: (chain: string): string =>
			`${chain} accepted the transaction. Usually confirmed with the next block.`,
		tokenText: (chain: string): string =>
			`${chain} accepted the transaction. Usually confirmed with the next block; then the token can be transferred.`
	},
	confirmed: {
		title: 'Confirmed',
		tokenTitle: 'Token created',
		inBlock: 'Confirmed in block',
		final: ', final.',
		notFinal:
			', not final yet. If a reorganization removes that block, the same bytes are sent again.',
		transaction: 'View transaction',
		approvedBurn: 'View approved burn',
		token: 'View token'
	},
	rejected: {
		title: (chain: string): string => `${chain} rejected the transaction. No funds were moved.`,
		titleSoFar: (chain: string): string =>
			`${chain} rejected the transaction. No funds were moved so far.`,
		watched:
			'A block could still take it, so Komodeck watches it until it expires or a final block spends one of its inputs otherwise.',
		final: 'It cannot be confirmed any more.'
	},
	unknown: {
		title: 'Send status unknown',
		text: (daemon: string): string =>
			`The transaction may have been sent to ${daemon}, and is neither confirmed nor in the mempool. It may still appear.`
	},
	unlocked: 'Nothing was sent, and its inputs are unlocked.',
	burning: {
		title: 'Burning is permanent',
		text: 'The coins backing the tokens are lost with them.'
	},
	send: 'Send transaction',
	left: (duration: string): string => `${duration} left to send`,
	costHint: 'Total debited',
	creationHint: 'Total debited: supply, listing fee and network fee',
	summary: 'Summary',
	details: 'Details',
	chain: 'Chain',
	pubkey: 'Wallet public key',
	copiedPubkey: 'wallet public key',
	facts: {
		consolidated: 'UTXOs consolidated',
		claimed: 'Interest claimed',
		spentForIt: 'UTXOs spent',
		recipients: 'Recipients',
		amountSent: 'Amount',
		parts: 'UTXOs created',
		token: 'Token',
		unreadToken: 'Name not available',
		burnOn: (chain: string): string => `Burn on ${chain}`,
		burned: 'Burned',
		name: 'Name',
		supply: 'Supply',
		description: 'Description',
		none: 'None',
		data: 'Data',
		amount: 'Amount',
		recipient: 'Recipient',
		copiedRecipient: 'recipient’s public key'
	},
	inputs: 'Inputs',
	inputsNote: 'All signatures valid',
	inputsCaption: 'Inputs of the transaction',
	outputs: 'Outputs',
	outputsNote: '1 base unit = 1 satoshi',
	outputsCaption: 'Outputs of the transaction',
	bytesHidden: 'The signed bytes are shown once sent: anyone with them could send the transaction.',
	hex: 'Transaction in hex',
	decode: 'Decode byte by byte'
} as const;

/** The state of an approval request, seen by a member who may send the transaction. */
type ApprovalStatus = 'waiting' | 'approved' | 'approved-for-author' | 'author-gone';

/**
 * Returns what a member needs to know of an approval request. The time until which the inputs are locked follows.
 * @param author the member whose send others approve: another one would have to ask again
 */
export function approvalSentence(status: ApprovalStatus, author: string): string {
	switch (status) {
		case 'waiting':
			return 'The policies ask other members to approve these bytes. Nothing has been sent, and the inputs stay locked until';
		case 'approved':
			return 'Enough members have approved. The transaction goes out when you send it, until';
		case 'approved-for-author':
			return `Enough members have approved. The transaction goes out when ${author} sends it, until`;
		case 'author-gone':
			return `Members approved this for ${author}, who can no longer send it. If you send it, members are asked to approve it again. The inputs stay locked until`;
	}
}
