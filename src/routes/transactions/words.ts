/** Badges and URLs of the team's transactions. Pure, because the list and the single page share it. */
import type { Status } from '#lib/server/wallet/transactions/status.ts';
import { SEND_STATES, sentTransaction, type SEND_KINDS } from '#lib/messages/pages/transactions.ts';

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
} as const satisfies Record<Status, { state: 'good' | 'wait' | 'bad' | 'unknown'; word: string }>;

/** Badge of a transaction that has all required approvals. */
export const APPROVED_MARK = {
	state: 'good',
	word: sentTransaction.approval.done
} as const;

/**
 * Returns the URL of a transaction's page; the two of a self-import share a page, under the id of the
 * source transaction.
 */
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
