/** Which action an activation that is due takes next. Pure. */
import { mayBeDone } from '../calls/failure.ts';
import { lastFailure, type ActivationRow } from './activationRow.ts';

/** The next action. */
export type Act =
	/** Check the servers. */
	| 'probe'
	/** Ask the node to activate: start the task, or make the call. */
	| 'begin'
	/** Ask for the status of the task; the node keeps its result. */
	| 'poll'
	/** Cancel the task. */
	| 'cancel'
	/** Read a stored result once more, so that the node removes it. */
	| 'forget'
	/** Ask whether the coin is active: a call whose answer was lost may have activated it. */
	| 'look'
	/** No call: only the row changes. */
	| 'move'
	/** Nothing. */
	| 'rest';

/** Returns how to end an activation without a task: if the answer to a call was lost, the node may have acted. */
export function endOf(row: ActivationRow): 'look' | 'move' {
	const last = lastFailure(row);
	return last !== null && mayBeDone(last) ? 'look' : 'move';
}

/** Returns the next action for an activation that is due. */
export function nextAct(row: ActivationRow): Act {
	const ending = row.cancel_by !== null;
	// The end does not wait for the removal of an old result, which the node may not be able to do now.
	if (row.forget_task !== null && !(ending && row.state === 'waiting')) return 'forget';
	switch (row.state) {
		case 'probing':
			return ending ? endOf(row) : 'probe';
		case 'starting':
			// Even when its end was requested: a task whose id was lost in a crash can be cancelled only once
			// the id is known.
			return 'begin';
		case 'running':
		case 'action':
			return ending ? 'cancel' : 'poll';
		case 'waiting':
			return ending ? endOf(row) : 'move';
		case 'active':
		case 'failed':
		case 'cancelled':
		case 'void':
			return 'rest';
	}
}
