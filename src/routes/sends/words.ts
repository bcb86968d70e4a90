/** A transaction from here and where it stands, in words. Pure: the list and the single page share it. */

export type Standing = 'built' | 'sending' | 'unknown' | 'sent' | 'mined' | 'refused' | 'expired';

interface Stored {
	state: Standing;
	/** Unix milliseconds until which a review is good. */
	expiresAt: number;
}

/** A review that was left alone is too old to be sent, also before anybody tried. */
export function standingOf({ state, expiresAt }: Stored, now: number): Standing {
	return state === 'built' && expiresAt <= now ? 'expired' : state;
}

/** The state's mark and its word, as `StateMark` takes them. */
export const MARKS = {
	built: { state: 'unknown', word: 'to be reviewed' },
	sending: { state: 'wait', word: 'being sent' },
	unknown: { state: 'bad', word: 'not known' },
	sent: { state: 'wait', word: 'waiting for a block' },
	mined: { state: 'good', word: 'in a block' },
	refused: { state: 'bad', word: 'refused' },
	expired: { state: 'unknown', word: 'not sent' }
} as const satisfies Record<Standing, { state: 'good' | 'wait' | 'bad' | 'unknown'; word: string }>;

/** What a transaction does, as a heading. */
export const KINDS = {
	'token-create': 'Token creation',
	'token-transfer': 'Token transfer',
	'token-burn': 'Token burn',
	merge: 'Merge of outputs'
} as const;
