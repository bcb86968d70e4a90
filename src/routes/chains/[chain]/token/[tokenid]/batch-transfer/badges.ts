/** Badges for the state of a batch transfer and its transfers. */
import { BATCH_STATES, LINE_STATES } from '#lib/messages/pages/batchTransfer.ts';
import type { Badge } from '#lib/text/badge.ts';

export const STATES = {
	reviewed: { state: 'unknown', word: BATCH_STATES.reviewed },
	running: { state: 'wait', word: BATCH_STATES.running },
	stopped: { state: 'bad', word: BATCH_STATES.stopped },
	done: { state: 'good', word: BATCH_STATES.done },
	discarded: { state: 'unknown', word: BATCH_STATES.discarded }
} as const satisfies Record<string, Badge>;

/** State of one transfer, from its row and its transaction. */
interface Line {
	state: 'waiting' | 'underway' | 'broadcast' | 'failed';
	sendState: string | null;
}

/**
 * Whether a transfer was sent. The row of one that was sent while its batch was stopped or discarded does not tell, but
 * its transaction does.
 */
export const isSent = ({ state, sendState }: Line): boolean =>
	state === 'broadcast' ||
	(state === 'underway' && (sendState === 'broadcast' || sendState === 'confirmed'));

/** Whether the transaction of an unsent transfer may be out, or can be sent from its own page. */
export const isUndecided = ({ state, sendState }: Line): boolean =>
	state === 'underway' &&
	(sendState === 'broadcasting' ||
		sendState === 'unknown' ||
		sendState === 'reviewed' ||
		sendState === 'needs-approval');

/**
 * Returns the badge of one transfer.
 * @param batch state of its batch
 */
export function lineMark(line: Line, batch: keyof typeof STATES): Badge {
	const { state, sendState } = line;
	const unsent: Badge = {
		state: 'unknown',
		word: batch === 'discarded' ? LINE_STATES.unsent : LINE_STATES.queued
	};
	if (state === 'failed') return { state: 'bad', word: LINE_STATES.failed };
	if (state === 'waiting') return unsent;
	if (sendState === 'unknown') return { state: 'bad', word: LINE_STATES.unknown };
	if (sendState === 'needs-approval') return { state: 'wait', word: LINE_STATES.awaiting };
	if (!isSent(line)) {
		const begun = batch === 'running' || sendState === 'broadcasting';
		return begun ? { state: 'wait', word: LINE_STATES.sending } : unsent;
	}
	return sendState === 'confirmed'
		? { state: 'good', word: LINE_STATES.confirmed }
		: { state: 'wait', word: LINE_STATES.pending };
}
