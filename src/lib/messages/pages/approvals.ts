/** Texts of the approvals pages. */
import { count, plural } from '#lib/text/plural.ts';

export const APPROVAL_STATES = {
	open: 'Awaiting approval',
	approved: 'Approved',
	used: 'Completed',
	rejected: 'Rejected',
	expired: 'Expired',
	voided: 'Void'
} as const;

/** Filters of requests: waiting for the reader, the reader's own, and closed ones. */
export const APPROVAL_TABS = ['waiting', 'own', 'past'] as const;

export const APPROVALS = {
	title: 'Approvals',
	lead: 'Transactions that need the approval of other members.',
	tabs: { waiting: 'Waiting for me', own: 'Mine', past: 'Past' },
	tabsLabel: 'Which requests',
	noTab: `Choose one of ${APPROVAL_TABS.join(', ')}.`,
	list: 'approval requests',
	caption: 'Approval requests',
	empty: {
		waiting: {
			title: 'No request waits for you',
			text: 'Requests appear here when a rule of the policies names you as an approver.'
		},
		own: {
			title: 'You asked for no approval',
			text: 'When a rule asks for approval of what you send, the request appears here.'
		},
		past: {
			title: 'No past requests to show',
			text: 'Approved, rejected and expired requests that you may read stay here for 90 days.'
		}
	},
	columns: {
		what: 'What',
		chain: 'Chain',
		author: 'Asked by',
		state: 'State',
		missing: 'Approvals missing',
		asked: 'Asked'
	},
	noSuch: 'There is no such approval request, or it is not for you to read.'
} as const;

export const APPROVAL = {
	title: 'Approval request',
	lead: (author: string, chain: string): string => `${author} asks to send this on ${chain}.`,
	byToken: 'Asked by an API token',
	facts: {
		title: 'What goes out',
		note: 'Read by this server from the signed bytes, and read again when you approve.',
		state: 'State',
		kind: 'What',
		amount: 'Cost',
		amountHint: 'The fee is included.',
		recipient: 'Recipient',
		own: 'a wallet of this installation',
		nobody: 'No recipient',
		unknown: 'Cannot be read from the bytes',
		wallet: 'Wallet',
		author: 'Asked by',
		expires: 'Good until',
		closed: 'Closed',
		closedBy: (by: string): string => `by ${by === 'policies' ? 'the policies' : by}`,
		lastBlock: (chain: string, height: number): string =>
			`or until block ${count(height)} of ${chain}, whichever comes first`,
		hash: 'SHA-256 of the hex text',
		copied: 'hash',
		txid: 'Transaction ID',
		subject: 'Review',
		transaction: 'Transaction',
		migration: 'Migration'
	},
	bytes: {
		inputs: 'Inputs',
		inputsCaption: 'Outputs that it spends',
		outputs: 'Outputs',
		outputsCaption: 'Outputs that it creates',
		from: 'Output'
	},
	given: {
		title: 'Approvals',
		none: 'No approval yet.',
		missing: (missing: number): string =>
			`${plural(missing, 'approval is', 'approvals are')} missing.`,
		rule: (place: number, needed: number): string => `Rule ${place} asks for ${needed}.`,
		waitsFor: (names: readonly string[]): string => `Can approve: ${names.join(', ')}.`,
		noneLeft: 'No member is left who could approve.',
		counts: (name: string): string => `${name} approved`,
		countsNot: (name: string): string => `${name} approved, and does not count any more`
	},
	approve: 'Approve',
	reject: 'Reject',
	reason: 'Reason for the rejection',
	reasonHint: 'The author reads it.',
	withdraw: 'Withdraw request',
	notDone: 'Not done',
	approved: 'Approved',
	next: {
		transaction:
			'Enough members have approved. Send the transaction from its review; batch transfers and approval queues continue automatically.',
		migration: 'Enough members have approved. The migration continues automatically.',
		bytes: 'Enough members have approved. Send the same bytes again.'
	},
	closed: (state: string, by: string): string => `${state} by ${by}`
} as const;
