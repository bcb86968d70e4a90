/** Approval requests, and whatever else waits for approval, in the form for pages. */
import { APPROVAL_TABS, type APPROVAL_STATES } from '#lib/messages/pages/approvals.ts';
import type { StandingRequest } from '#lib/server/access/approvals/request.ts';
import type { Standing } from '#lib/server/access/approvals/standing.ts';
import type { Tone } from '#lib/text/badge.ts';

type ShownState = keyof typeof APPROVAL_STATES;

/** Distinguishes an open request that has all its approvals from one that does not. */
export const stateOf = ({
	state,
	missing
}: Pick<StandingRequest, 'state' | 'missing'>): ShownState =>
	state === 'open' && missing === 0 ? 'approved' : state;

export const TONES = {
	open: 'wait',
	approved: 'good',
	used: 'good',
	rejected: 'bad',
	expired: 'unknown',
	voided: 'unknown'
} as const satisfies Record<ShownState, Tone>;

export const tabOf = (parameters: URLSearchParams): (typeof APPROVAL_TABS)[number] =>
	APPROVAL_TABS.find((one) => one === parameters.get('show')) ?? 'waiting';

/** Who approved and who could, without account ids. */
export interface ShownStanding {
	votes: { name: string; at: number; counts: boolean }[];
	waitsFor: string[];
	missing: number;
}

export const shownStanding = ({ votes, waitsFor, missing }: Standing): ShownStanding => ({
	votes: votes.map(({ name, at, counts }) => ({ name, at, counts })),
	waitsFor: [...waitsFor.values()],
	missing
});

/** Returns what a member can decide about an open item. */
export const mayDecide = (
	{ account, waitsFor, state }: Pick<Standing, 'waitsFor'> & { account: string; state: string },
	member: string
): { mayApprove: boolean; mayWithdraw: boolean } => ({
	mayApprove: state === 'open' && waitsFor.has(member),
	mayWithdraw: state === 'open' && account === member
});
