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

/**
 * A review that was left alone is too old to be sent, also before anybody tried.
 * @param before the transaction that has to be in a block first, when there is one: what it waits for, both wait for
 */
export function statusOf(
	{ state, expiresAt }: Stored,
	now: number,
	before: Pick<Stored, 'state'> | null = null
): Status {
	if (state === 'reviewed' && before !== null && before.state !== 'reviewed') {
		return before.state === 'needs-approval' ? 'needs-approval' : 'next';
	}
	return state === 'reviewed' && expiresAt <= now ? 'discarded' : state;
}
