/** A transaction of the team: the mark of where it stands, and its page. Pure: the list and the single page share it. */
import type { Status } from '#lib/server/wallet/transactions/status.ts';
import { SEND_STATES, sentTransaction, type SEND_KINDS } from '#lib/messages/pages/transactions.ts';

/** The state's mark and its word, as `StatusBadge` takes them. */
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
} as const satisfies Record<Status, { state: 'good' | 'wait' | 'bad' | 'unknown'; word: string }>;

/** The mark of one that has all approvals which it waited for. */
export const APPROVED_MARK = {
	state: 'good',
	word: sentTransaction.approval.done
} as const;

/** Where a transaction is shown; the two of a self-import share a page, by the id of its source. */
export function pageOf({
	id,
	kind,
	chain,
	follows
}: {
	id: string;
	kind: keyof typeof SEND_KINDS;
	chain: string;
	follows: string | null;
}): string {
	return kind === 'self-import-source' || kind === 'self-import'
		? `/chains/${encodeURIComponent(chain)}/self-import/${follows ?? id}`
		: `/transactions/${id}`;
}
