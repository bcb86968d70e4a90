/** A transaction from here and where it stands, in words. Pure: the list and the single page share it. */

type Standing =
	| 'reviewed'
	| 'next'
	| 'broadcasting'
	| 'unknown'
	| 'broadcast'
	| 'confirmed'
	| 'rejected'
	| 'discarded';

interface Stored {
	state: Exclude<Standing, 'next'>;
	/** Unix milliseconds until which a review is good. */
	expiresAt: number;
}

/**
 * A review that was left alone is too old to be sent, also before anybody tried.
 * @param before the transaction that has to be in a block first, when there is one
 */
export function standingOf(
	{ state, expiresAt }: Stored,
	now: number,
	before: Stored | null = null
): Standing {
	if (state === 'reviewed' && before !== null && before.state !== 'reviewed') return 'next';
	return state === 'reviewed' && expiresAt <= now ? 'discarded' : state;
}

/** The state's mark and its word, as `StateMark` takes them. */
export const MARKS = {
	reviewed: { state: 'unknown', word: 'Awaiting review' },
	next: { state: 'wait', word: 'Next' },
	broadcasting: { state: 'wait', word: 'Sending' },
	unknown: { state: 'bad', word: 'Unknown' },
	broadcast: { state: 'wait', word: 'Pending' },
	confirmed: { state: 'good', word: 'Confirmed' },
	rejected: { state: 'bad', word: 'Rejected' },
	discarded: { state: 'unknown', word: 'Discarded' }
} as const satisfies Record<Standing, { state: 'good' | 'wait' | 'bad' | 'unknown'; word: string }>;

/** What a transaction does, as a heading. */
export const KINDS = {
	'token-create': 'Token creation',
	'token-transfer': 'Token transfer',
	'token-burn': 'Token burn',
	merge: 'UTXO consolidation',
	'notary-approval': 'Notary approval',
	'self-import-source': 'Self-import source',
	'self-import': 'Self-import'
} as const;

/** Where a transaction is shown; the two of a self-import share a page, by the id of its source. */
export function pageOf({
	id,
	kind,
	chain,
	follows
}: {
	id: string;
	kind: keyof typeof KINDS;
	chain: string;
	follows: string | null;
}): string {
	return kind === 'self-import-source' || kind === 'self-import'
		? `/chains/${encodeURIComponent(chain)}/self-import/${follows ?? id}`
		: `/transactions/${id}`;
}
