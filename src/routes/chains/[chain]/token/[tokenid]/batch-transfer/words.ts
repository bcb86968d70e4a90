/** Where a batch transfer and its transfers stand, in words. */

interface Mark {
	state: 'good' | 'wait' | 'bad' | 'unknown';
	word: string;
}

export const STATES = {
	reviewed: { state: 'unknown', word: 'Awaiting review' },
	running: { state: 'wait', word: 'Sending' },
	stopped: { state: 'bad', word: 'Stopped' },
	done: { state: 'good', word: 'Done' },
	discarded: { state: 'unknown', word: 'Discarded' }
} as const satisfies Record<string, Mark>;

/** One transfer, as far as its row and its transaction tell. */
interface Line {
	state: 'waiting' | 'underway' | 'broadcast' | 'failed';
	sendState: string | null;
}

/**
 * The mark of one transfer.
 * @param running transfers of the batch transfer go out now
 */
export function lineMark({ state, sendState }: Line, running: boolean): Mark {
	if (state === 'failed') return { state: 'bad', word: 'Failed' };
	if (state === 'waiting') return { state: 'unknown', word: 'Queued' };
	if (sendState === 'unknown') return { state: 'bad', word: 'Unknown' };
	if (state === 'underway') {
		const begun = running || sendState === 'broadcasting';
		return begun ? { state: 'wait', word: 'Sending' } : { state: 'unknown', word: 'Queued' };
	}
	return sendState === 'confirmed'
		? { state: 'good', word: 'Confirmed' }
		: { state: 'wait', word: 'Pending' };
}
