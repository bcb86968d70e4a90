/** What people and scripts read about an approval that they gave. */
import type { ApprovalStanding } from './tables.ts';
import type { NotApproval } from './verify.ts';

/** Why an id was not taken. */
export type RefusalCode =
	| NotApproval
	| 'not-an-id'
	| 'enough-of-one'
	| 'too-many-unknown'
	| 'no-such-burn'
	| 'closed'
	| 'throttled';

/** Why an id was not taken, with what to do. `chain` is the destination. */
export const REFUSAL_WORDS: Readonly<Record<RefusalCode, (chain: string) => string>> = {
	'not-an-id': () => 'The id of a transaction has 64 hexadecimal digits.',
	absent: (chain) =>
		`${chain} does not know this transaction. Send the approval there first, then give its id again.`,
	'no-approval': () =>
		'This transaction is no approval: it carries no proof of a burn. Give the id of the approval itself.',
	'other-burn': () => 'This transaction approves another burn.',
	unsound: () =>
		'The proof in this transaction does not hold: its hashes do not lead to the root of its block.',
	'no-notary': (chain) =>
		`The first input of this transaction is not signed by a notary of ${chain}, so it does not count.`,
	'enough-of-one': () => 'This notary has approved the burn already, and each notary counts once.',
	'too-many-unknown': (chain) =>
		`${chain} cannot be asked now, and many ids wait for it already. Try again later.`,
	'no-such-burn': () => 'No burn with this id is published here.',
	closed: () => 'This burn was imported: it needs no approvals any more.',
	throttled: () => 'Too many ids were given in a short time. Try again later.'
};

/** What a kept approval waits for. `chain` is the destination. */
export const STANDING_WORDS: Readonly<Record<ApprovalStanding, (chain: string) => string>> = {
	prepared: () => 'It is built, and not sent yet.',
	unknown: (chain) => `${chain} cannot be asked now: the id is kept and looked up again.`,
	pending: (chain) => `It waits for a block of ${chain}, and counts from then on.`,
	mined: () => 'It is in a block.',
	gone: (chain) =>
		`${chain} does not know it any more: its block was taken back. It is looked up again.`
};

/** HTTP statuses of the refusals, for scripts. */
export const REFUSAL_STATUS: Readonly<Record<RefusalCode, number>> = {
	'not-an-id': 400,
	absent: 422,
	'no-approval': 422,
	'other-burn': 422,
	unsound: 422,
	'no-notary': 422,
	'enough-of-one': 409,
	'too-many-unknown': 503,
	'no-such-burn': 404,
	closed: 409,
	throttled: 429
};
