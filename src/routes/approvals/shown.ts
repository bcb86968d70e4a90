/** A request for approvals as pages show it. */
import type { APPROVAL_STATES } from '#lib/messages/pages/approvals.ts';
import type { ApprovalRequest } from '#lib/server/access/approvals/request.ts';

type ShownState = keyof typeof APPROVAL_STATES;

/** One that has all its approvals is told apart from one that waits. */
export const stateOf = ({ state, missing }: ApprovalRequest): ShownState =>
	state === 'open' && missing === 0 ? 'approved' : state;

export const TONES = {
	open: 'wait',
	approved: 'good',
	used: 'good',
	rejected: 'bad',
	expired: 'unknown',
	voided: 'unknown'
} as const satisfies Record<ShownState, 'good' | 'wait' | 'bad' | 'unknown'>;

export const FILTERS = ['waiting', 'own', 'past'] as const;
type Filter = (typeof FILTERS)[number];

export const filterOf = (parameters: URLSearchParams): Filter =>
	FILTERS.find((one) => one === parameters.get('show')) ?? 'waiting';
