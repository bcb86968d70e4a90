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
 * Returns the badge of one transfer.
 * @param running whether transfers of the batch are being sent
 */
export function lineMark({ state, sendState }: Line, running: boolean): Badge {
	if (state === 'failed') return { state: 'bad', word: LINE_STATES.failed };
	if (state === 'waiting') return { state: 'unknown', word: LINE_STATES.queued };
	if (sendState === 'unknown') return { state: 'bad', word: LINE_STATES.unknown };
	if (sendState === 'needs-approval') return { state: 'wait', word: LINE_STATES.awaiting };
	if (state === 'underway') {
		const begun = running || sendState === 'broadcasting';
		return begun
			? { state: 'wait', word: LINE_STATES.sending }
			: { state: 'unknown', word: LINE_STATES.queued };
	}
	return sendState === 'confirmed'
		? { state: 'good', word: LINE_STATES.confirmed }
		: { state: 'wait', word: LINE_STATES.pending };
}
