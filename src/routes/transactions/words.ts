/** A transaction of the team: where it stands and on which page. Pure: the list and the single page share it. */
import { SEND_STATES, type SEND_KINDS } from '#lib/messages/pages/transactions.ts';

type Status =
	| 'reviewed'
	| 'next'
	| 'broadcasting'
	| 'unknown'
	| 'broadcast'
	| 'confirmed'
	| 'rejected'
	| 'discarded';

interface Stored {
	state: Exclude<Status, 'next'>;
	/** Unix milliseconds until which a review is good. */
	expiresAt: number;
}

/**
 * A review that was left alone is too old to be sent, also before anybody tried.
 * @param before the transaction that has to be in a block first, when there is one
 */
export function statusOf(
	{ state, expiresAt }: Stored,
	now: number,
	before: Stored | null = null
): Status {
	if (state === 'reviewed' && before !== null && before.state !== 'reviewed') return 'next';
	return state === 'reviewed' && expiresAt <= now ? 'discarded' : state;
}

/** The state's mark and its word, as `StatusBadge` takes them. */
export const MARKS = {
	reviewed: { state: 'unknown', word: SEND_STATES.reviewed },
	next: { state: 'wait', word: SEND_STATES.next },
	broadcasting: { state: 'wait', word: SEND_STATES.broadcasting },
	unknown: { state: 'bad', word: SEND_STATES.unknown },
	broadcast: { state: 'wait', word: SEND_STATES.broadcast },
	confirmed: { state: 'good', word: SEND_STATES.confirmed },
	rejected: { state: 'bad', word: SEND_STATES.rejected },
	discarded: { state: 'unknown', word: SEND_STATES.discarded }
} as const satisfies Record<Status, { state: 'good' | 'wait' | 'bad' | 'unknown'; word: string }>;

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
