import { withStatus, type ErrorArea } from './define.ts';

const people = (count: number): string => (count === 1 ? 'one member' : `${count} members`);

/** Why a policy rule denies something, or cannot be set. Nothing was sent or changed. */
export const policy = {
	...withStatus(403, {
		'policy.denied': ({ rule }: { rule: number }) =>
			`Rule ${rule} of the policies denies this. Nothing was sent. An admin can change the rule on the Policies page.`,
		'policy.unknown': ({ rule }: { rule: number }) =>
			`Rule ${rule} of the policies asks for an amount or a recipient that these bytes do not tell. Nothing was sent. An admin can change the rule on the Policies page.`,
		'policy.needs-approval': ({
			rule,
			needed,
			request
		}: {
			rule: number;
			needed: number;
			request: string;
		}) =>
			`Rule ${rule} of the policies asks ${people(needed)} to approve this. Nothing was sent. The approval request is at /approvals/${request}; after the approval send the same again.`,
		/** Bytes that a daemon builds differently with each call. */
		'policy.built-anew': ({ rule, needed }: { rule: number; needed: number }) =>
			`Rule ${rule} of the policies asks ${people(needed)} to approve this, and the daemon builds other bytes with each call, which no approval would fit. Nothing was sent. Use a page instead, where the transaction waits for the approval: Create token, Transfer token, Migrate coins, Self-import or Notary approvals. A signrawtransaction of the same batch can be approved when it is sent in a request of its own.`,
		/** Bytes that may already be broadcast, sent again by another member. */
		'policy.resend-needs-approval': ({ rule, needed }: { rule: number; needed: number }) =>
			`Rule ${rule} of the policies asks ${people(needed)} to approve what you send, and no one is asked for bytes that may have been sent before. Nothing was sent now. They are looked up until they confirm or expire; after that the transaction can be built again. A member who sent them from here can send them again.`,
		'policy.not-approvable': ({ rule }: { rule: number }) =>
			`Rule ${rule} of the policies asks for an approval, and this call brings no signed bytes that others could approve. Nothing was sent. To send coins, build the transaction and send its bytes with sendrawtransaction; for tokens and migrations, use their pages.`
	}),
	'policy.too-many-open': {
		status: 429,
		message: ({ of, most }: { of: 'member' | 'tokens' | 'token'; most: number }) =>
			of === 'tokens'
				? `${most} approval requests of your API tokens are open, and tokens of a member may have no more at a time. Nothing was sent. Withdraw one of yours at /approvals?show=own, or wait until one is approved or expires.`
				: of === 'token'
					? `${most} approval requests of this API token are open, and a token may have no more at a time. Nothing was sent. Withdraw one of yours at /approvals?show=own, or wait until one is approved or expires.`
					: `${most} approval requests of yours are open, and a member may have no more at a time. Nothing was sent. Withdraw one at /approvals?show=own, or wait until one is approved or expires.`
	},
	...withStatus(409, {
		'policy.quorum-unreachable': ({ needed, eligible }: { needed: number; eligible: number }) =>
			`${needed === 1 ? 'One approval is' : `${needed} approvals are`} asked for, and ${eligible === 1 ? 'one member' : `${eligible} members`} could give them. Nothing was changed. Name more members, or ask for fewer approvals.`,
		'policy.gone': () =>
			'This rule was changed or removed meanwhile. Nothing was changed. Look at the rules as they are now.'
	})
} satisfies ErrorArea<'policy'>;

const CLOSED = {
	used: 'was approved and is done',
	rejected: 'was rejected',
	expired: 'expired',
	voided: 'is void'
} as const;

/** Why a vote on an approval request does not count. */
export const approval = {
	'approval.unknown': { status: 404, message: () => 'There is no such approval request.' },
	...withStatus(409, {
		'approval.unrecorded': () =>
			'The audit log does not know this approval request as it stands now. Nothing was changed. Ask for the approval again, and look at the audit log.',
		'approval.closed': ({ state }: { state: keyof typeof CLOSED }) =>
			`This approval request ${CLOSED[state]}. Nothing was changed.`,
		'approval.twice': () =>
			'You approved this already, and each member counts once. Nothing was changed.',
		'approval.changed-bytes': () =>
			'These are other bytes than those that approval was asked for. Nothing was approved. Load the page again, and look at what it shows now.'
	}),
	...withStatus(403, {
		'approval.own': () =>
			'You asked for this approval, so yours does not count. Nothing was changed. Another member has to approve.',
		'approval.not-eligible': () =>
			'The policies do not ask you for this approval. Nothing was changed.'
	}),
	'approval.no-reason': {
		status: 400,
		field: 'reason',
		message: () => 'Say why, so that the author knows what to change.'
	},
	'approval.unchecked': {
		status: 503,
		message: ({ why }: { why: string }) =>
			`What these bytes do cannot be checked now. ${why} Nothing was approved. Try again when the daemon answers.`
	}
} satisfies ErrorArea<'approval'>;

const ENDED = {
	done: 'is completed',
	rejected: 'was rejected',
	expired: 'expired',
	voided: 'is void: what it was to change has changed since',
	withdrawn: 'was withdrawn'
} as const;

/** Why a vote on a change does not count, or a change cannot be proposed. */
export const change = {
	'change.unknown': { status: 404, message: () => 'There is no such proposed change.' },
	...withStatus(409, {
		'change.unrecorded': () =>
			'The audit log does not know this proposed change as it stands now. Nothing was changed. Propose the change again, and look at the audit log.',
		'change.closed': ({ state }: { state: keyof typeof ENDED }) =>
			`This proposed change ${ENDED[state]}. Nothing was changed.`,
		'change.not-as-shown': () =>
			'This is not as it was when the page was made. Nothing was changed. Look at what it is now.',
		'change.moot': () => 'No one waits for this any more. Nothing was changed.',
		'change.twice': () =>
			'You approved this already, and each admin counts once. Nothing was changed.'
	}),
	...withStatus(403, {
		'change.own': () =>
			'You proposed this change, so your approval does not count. Nothing was changed. Another admin has to approve.',
		'change.not-eligible': () =>
			'Only other admins can decide about this change. Nothing was changed.'
	}),
	'change.no-reason': {
		status: 400,
		field: 'reason',
		message: () => 'Say why, so that the author knows what to change.'
	},
	'change.too-few-admins': {
		status: 409,
		field: 'change-approvals',
		message: ({ needed, admins }: { needed: number; admins: number }) =>
			`${needed === 1 ? 'One other admin' : `${needed} other admins`} would have to approve, and ${admins === 1 ? 'one admin' : `${admins} admins`} can log in. Nothing was changed. Add admins, or ask for fewer approvals.`
	}
} satisfies ErrorArea<'change'>;
