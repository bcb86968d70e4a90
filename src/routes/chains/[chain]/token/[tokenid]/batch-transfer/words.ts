/** Where a series and its transfers stand, in words. */

interface Mark {
	state: 'good' | 'wait' | 'bad' | 'unknown';
	word: string;
}

export const STATES = {
	reviewed: { state: 'unknown', word: 'to be confirmed' },
	running: { state: 'wait', word: 'being sent' },
	stopped: { state: 'bad', word: 'stopped' },
	done: { state: 'good', word: 'done' },
	discarded: { state: 'unknown', word: 'given up' }
} as const satisfies Record<string, Mark>;

/** One transfer, as far as its row and its transaction tell. */
interface Line {
	state: 'waiting' | 'underway' | 'sent' | 'failed';
	sendState: string | null;
}

/**
 * The mark of one transfer.
 * @param running transfers of the series go out now
 */
export function lineMark({ state, sendState }: Line, running: boolean): Mark {
	if (state === 'failed') return { state: 'bad', word: 'failed' };
	if (state === 'waiting') return { state: 'unknown', word: 'waits' };
	if (sendState === 'unknown') return { state: 'bad', word: 'not known' };
	if (state === 'underway') {
		const begun = running || sendState === 'sending';
		return begun ? { state: 'wait', word: 'being sent' } : { state: 'unknown', word: 'waits' };
	}
	return sendState === 'mined'
		? { state: 'good', word: 'in a block' }
		: { state: 'wait', word: 'waiting for a block' };
}
