/** A transaction from here and where it stands, in words. Pure: the list and the single page share it. */

type Standing = 'built' | 'next' | 'sending' | 'unknown' | 'sent' | 'mined' | 'refused' | 'expired';

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
	if (state === 'built' && before !== null && before.state !== 'built') return 'next';
	return state === 'built' && expiresAt <= now ? 'expired' : state;
}

/** The state's mark and its word, as `StateMark` takes them. */
export const MARKS = {
	built: { state: 'unknown', word: 'Awaiting review' },
	next: { state: 'wait', word: 'Next' },
	sending: { state: 'wait', word: 'Sending' },
	unknown: { state: 'bad', word: 'Unknown' },
	sent: { state: 'wait', word: 'Pending' },
	mined: { state: 'good', word: 'Confirmed' },
	refused: { state: 'bad', word: 'Rejected' },
	expired: { state: 'unknown', word: 'Discarded' }
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
