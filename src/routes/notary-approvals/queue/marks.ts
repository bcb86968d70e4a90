/** Badges for approval queues and their approvals. Pure. */
import { approvalQueuePage } from '#lib/messages/pages/notaryApprovals.ts';
import type {
	ApprovalQueueItemState,
	ApprovalQueueState
} from '#lib/server/cross-chain/notary-approvals/queue/tables.ts';
import type { Status } from '#lib/server/wallet/transactions/status.ts';
import { MARKS } from '../../transactions/badges.ts';
import type { Badge, Tone } from '#lib/text/badge.ts';

export const QUEUE_MARKS = {
	open: 'wait',
	done: 'good',
	discarded: 'unknown'
} as const satisfies Record<ApprovalQueueState, Tone>;

const { states } = approvalQueuePage;

/**
 * Returns the badge of an approval. After sending, it reflects the state of the transaction.
 * @param sent state of its transaction; null when there is none
 */
export function markOf(state: ApprovalQueueItemState, sent: Status | null): Badge {
	switch (state) {
		case 'waiting':
			return { state: 'unknown', word: states.waiting };
		case 'underway':
			if (sent === 'needs-approval') return MARKS[sent];
			return sent === 'reviewed'
				? { state: 'wait', word: states.ready }
				: { state: 'wait', word: states.building };
		case 'confirmed':
			if (sent === 'needs-approval') return MARKS[sent];
			return { state: 'wait', word: states.confirmed };
		case 'sent':
			return MARKS[sent ?? 'unknown'];
		case 'refused':
			return { state: 'bad', word: states.refused };
		case 'lapsed':
			return { state: 'unknown', word: states.lapsed };
	}
}
