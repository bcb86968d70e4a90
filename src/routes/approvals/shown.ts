/** Requests for approvals, and what else waits for approval, as pages show it. */
import { APPROVAL_TABS, type APPROVAL_STATES } from '#lib/messages/pages/approvals.ts';
import type { StandingRequest } from '#lib/server/access/approvals/request.ts';
import type { Standing } from '#lib/server/access/approvals/standing.ts';

type ShownState = keyof typeof APPROVAL_STATES;

/** One that has all its approvals is told apart from one that waits. */
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
} as const satisfies Record<ShownState, 'good' | 'wait' | 'bad' | 'unknown'>;

export const tabOf = (parameters: URLSearchParams): (typeof APPROVAL_TABS)[number] =>
	APPROVAL_TABS.find((one) => one === parameters.get('show')) ?? 'waiting';

/** Who approved something and who could, without ids of accounts. */
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

/** What a member can decide about something that is open. */
export const mayDecide = (
	{ account, waitsFor, state }: Pick<Standing, 'waitsFor'> & { account: string; state: string },
	member: string
): { mayApprove: boolean; mayWithdraw: boolean } => ({
	mayApprove: state === 'open' && waitsFor.has(member),
	mayWithdraw: state === 'open' && account === member
});
