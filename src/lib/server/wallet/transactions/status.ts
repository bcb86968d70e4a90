/** Status of a transaction as members see it. Pure: shared by lists, single pages and files. */

export type Status =
	| 'reviewed'
	| 'needs-approval'
	| 'next'
	| 'broadcasting'
	| 'unknown'
	| 'broadcast'
	| 'confirmed'
	| 'rejected'
	| 'discarded';

/** States of a row; `next` is derived from the first transaction of a pair. */
type StoredState = Exclude<Status, 'next'>;

interface Stored {
	state: StoredState;
	/** Expiry of the review, Unix milliseconds. */
	expiresAt: number;
}

/** The first transaction of a pair, which has to confirm before the second is sent. */
interface Before {
	state: StoredState;
	/** When its outcome became final, Unix milliseconds; null before. */
	finalAt: number | null;
}

/**
 * Returns the status of a transaction. A review that has expired counts as discarded, even before an attempt
 * to send it.
 * @param now Unix milliseconds
 * @param before the first transaction of the pair, if any: while it waits for approval, both do; when it can
 * never confirm, the second counts as discarded
 */
export function statusOf(
	{ state, expiresAt }: Stored,
	now: number,
	before: Before | null = null
): Status {
	if (state === 'reviewed' && before !== null && before.state !== 'reviewed') {
		if (before.state === 'rejected' && before.finalAt !== null) return 'discarded';
		return before.state === 'needs-approval' ? 'needs-approval' : 'next';
	}
	return state === 'reviewed' && expiresAt <= now ? 'discarded' : state;
}
