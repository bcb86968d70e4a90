/** What an action of an activation has shown, and the change of its row. */
import type { ActivationEvent } from '#lib/messages/activation/events.ts';
import type { ActivationReason } from '#lib/messages/activation/reasons.ts';
import type { Probe } from '../egress/probe.ts';
import type { Failure } from '#lib/messages/errors/activation.ts';
import type { Plain } from '../client/plain.ts';
import type { ActivationState } from './states.ts';

/** Status of a task as the node reports it; an error is final. */
export type TaskStatus =
	| { kind: 'progress'; step: Plain }
	| { kind: 'action'; step: Plain }
	/**
	 * `isOurs`: whether the result is of our coin, by what the node reports; null when it does not answer now.
	 */
	| { kind: 'ok'; result: Plain; isOurs: boolean | null }
	| { kind: 'error'; failure: Failure };

/** Whether a coin is active: null when the node does not answer now, `untold` when it serves no call that tells. */
export type Activity = boolean | 'untold' | null;

/** A task of a node that an activation waits for. */
export interface OpenTask {
	/** Id of the activation. */
	id: string;
	taskId: number;
}

/** Outcome of an action. */
export type StepEvent =
	| { about: 'nothing' }
	| { about: 'probed'; probes: Probe[]; refused: Failure | null }
	/** `before`: the tasks of the node that activations waited for when it was asked. */
	| { about: 'begun'; taskId: number; before: readonly OpenTask[] }
	| { about: 'done'; result: Plain }
	/** `result`: balance of a coin that was active already; null otherwise. */
	| { about: 'not-begun'; failure: Failure; result: Plain | null }
	| { about: 'status'; status: TaskStatus }
	/** The task has no status, or cannot be cancelled because the node does not know it. */
	| {
			about: 'no-status';
			failure: Failure;
			active: Activity;
			result: Plain | null;
			/** Why it is not known whether the coin is active; null when it is, and when the node was not asked. */
			why: Failure | null;
	  }
	| { about: 'looked'; active: Activity; result: Plain | null }
	| { about: 'cancelled' }
	| { about: 'not-cancelled'; failure: Failure }
	| { about: 'forgotten' }
	| { about: 'not-forgotten' };

/** A change of the row; omitted columns stay as they are. */
export interface Patch {
	state?: ActivationState;
	attempt?: number;
	taskId?: number | null;
	forgetTask?: number | null;
	step?: Plain | null;
	probes?: Probe[];
	result?: Plain;
	failure?: Failure | null;
	/** Why it does not advance now; it continues automatically. */
	reason?: ActivationReason | null;
	cancelBy?: null;
	actionSince?: number | null;
	wrongPins?: number;
	/** Unix milliseconds; null when nothing is due. */
	due: number | null;
	/** Event to record. */
	event?: ActivationEvent;
	/** Tasks that were lost in a restart of the node. */
	voids?: readonly OpenTask[];
}
