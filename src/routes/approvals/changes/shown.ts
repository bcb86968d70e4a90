/** Proposed changes in the form for lists. */
import type { CHANGE_STATES } from '#lib/messages/pages/changes.ts';
import type { Proposal } from '#lib/server/access/proposals/proposal.ts';
import type { Tone } from '#lib/text/badge.ts';

export const CHANGE_TONES = {
	open: 'wait',
	done: 'good',
	rejected: 'bad',
	expired: 'unknown',
	voided: 'unknown',
	withdrawn: 'unknown'
} as const satisfies Record<keyof typeof CHANGE_STATES, Tone>;

export type ShownChange = Pick<
	Proposal,
	'id' | 'title' | 'author' | 'state' | 'missing' | 'createdAt'
>;

export const shownChange = (proposal: Proposal): ShownChange => {
	const { id, title, author, state, missing, createdAt } = proposal;
	return { id, title, author, state, missing, createdAt };
};
