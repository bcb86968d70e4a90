/** Badges of the team's transactions, for the list and the single page. */
import type { Badge } from '#lib/text/badge.ts';
import type { Status } from '#lib/server/wallet/transactions/status.ts';
import { SEND_STATES, sentTransaction } from '#lib/messages/pages/transactions.ts';

/** Badges by state, as properties of `StatusBadge`. */
export const MARKS = {
	reviewed: { state: 'unknown', word: SEND_STATES.reviewed },
	'needs-approval': { state: 'wait', word: SEND_STATES['needs-approval'] },
	next: { state: 'wait', word: SEND_STATES.next },
	broadcasting: { state: 'wait', word: SEND_STATES.broadcasting },
	unknown: { state: 'bad', word: SEND_STATES.unknown },
	broadcast: { state: 'wait', word: SEND_STATES.broadcast },
	confirmed: { state: 'good', word: SEND_STATES.confirmed },
	rejected: { state: 'bad', word: SEND_STATES.rejected },
	discarded: { state: 'unknown', word: SEND_STATES.discarded }
} as const satisfies Record<Status, Badge>;

/** Badge of a transaction that has all required approvals. */
export const APPROVED_MARK = {
	state: 'good',
	word: sentTransaction.approval.done
} as const;
