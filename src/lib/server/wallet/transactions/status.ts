/** Where a transaction of the team stands, as people are told. Pure: lists, single pages and files share it. */

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

/** States that a row has; `next` follows from that of another one. */
type StoredState = Exclude<Status, 'next'>;

interface Stored {
	state: StoredState;
	/** Unix milliseconds until which a review is good. */
	expiresAt: number;
}

/** The transaction that has to be in a block first. */
interface Before {
	state: StoredState;
	/** When nothing could change any more; null: something can. */
	finalAt: number | null;
}

/**
 * A review that was left alone is too old to be sent, also before anybody tried.
 * @param before the transaction that has to be in a block first, when there is one: what it waits for, both wait for;
 * where nothing can come of it any more, what follows it is given up
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
