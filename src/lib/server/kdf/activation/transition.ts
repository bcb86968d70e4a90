/**
 * State machine of an activation: which change follows from the outcome of an action. It reads only the row, so
 * that any worker can continue after a crash.
 */
import { callReason } from '#lib/messages/activation/reasons.ts';
import type { Probe } from '../egress/probe.ts';
import type { Failure } from '#lib/messages/errors/activation.ts';
import { isAlreadyActive, isPassing, tickerOf } from '../calls/coinFailure.ts';
import { afterEarlier, isByNode, isOwn, hasNoResult, wasRequested } from '../calls/failure.ts';
import {
	isBeingCancelled,
	isNoSuchTask,
	isTaskFinished,
	isWrongPin
} from '../calls/taskFailure.ts';
import { familyOf } from '../coins/methods.ts';
import type { Plain } from '../client/plain.ts';
import { RETRY_AFTER_S, type ActivationState } from './states.ts';
import { lastFailure, type ActivationRow } from './activationRow.ts';
import { firstState } from '../servers/namedServers.ts';
import { endOf } from './nextAct.ts';
import type { Activity, Patch, StepEvent, TaskStatus } from './step.ts';

/** Milliseconds between two polls of a task: shorter while it is young. */
const POLL_MS = { young: 1_000, old: 3_000 };
const YOUNG_MS = 60_000;
/** Milliseconds after a poll without an answer. */
const AWAY_MS = 3_000;
/**
 * Milliseconds between polls while the status of an older task cannot be read, or no node with this id is
 * configured: a server with another configuration may know it.
 */
const SELDOM_MS = 60_000;
/** Milliseconds between tries while a safety control stops the call. */
const SWITCHED_MS = 5_000;

/** Whether an activation ends with this change although its node was asked for nothing. */
export function endsUnrequested(row: ActivationRow, { state, failure }: Patch): boolean {
	if ((state !== 'failed' && state !== 'cancelled') || row.task_id !== null) return false;
	const last = failure ?? lastFailure(row);
	return last === null || !wasRequested(last);
}

const ended = (state: ActivationState, more: Omit<Patch, 'due' | 'state'>): Patch => ({
	state,
	step: null,
	reason: null,
	actionSince: null,
	due: null,
	...more
});

/** @param failure why it is not known whether the node acted */
const endedUnsure = (failure: Failure): Patch =>
	ended('cancelled', { failure, event: { code: 'ended.unsure', params: {} } });

const endedBefore = (): Patch =>
	ended('cancelled', { failure: null, event: { code: 'ended.before', params: {} } });

/** Schedules the removal of an old result that the node still has, after the end of the activation. */
const forgetStill = ({ forget_task: task }: ActivationRow, now: number): { due?: number } =>
	task === null ? {} : { due: now };

/** Schedules the removal of the result from the node, as it is stored here. */
const withForget = (patch: Patch, row: ActivationRow, now: number): Patch =>
	row.task_id === null ? patch : { ...patch, forgetTask: Number(row.task_id), due: now };

function failed(row: ActivationRow, failure: Failure): Patch {
	return ended('failed', {
		failure: afterEarlier(lastFailure(row), failure),
		...(isWrongPin(failure) ? { wrongPins: Number(row.wrong_pins) + 1 } : {}),
		event: { code: 'failed', params: {} }
	});
}

/** Schedules another try, or ends the activation after the last one. */
function later(row: ActivationRow, why: Failure, now: number): Patch {
	const failure = afterEarlier(lastFailure(row), why);
	const seconds = RETRY_AFTER_S[Number(row.attempt) - 1];
	if (seconds === undefined) {
		const params = { attempt: Number(row.attempt) };
		return ended('failed', { failure, event: { code: 'attempt.last-failed', params } });
	}
	return {
		state: 'waiting',
		failure,
		step: null,
		reason: null,
		taskId: null,
		actionSince: null,
		due: now + seconds * 1_000,
		event: { code: 'attempt.failed', params: { attempt: Number(row.attempt), seconds } }
	};
}

function active(
	result: Plain | null,
	code: 'active' | 'active.before' | 'active.read-elsewhere' | 'active.all-the-same'
): Patch {
	return ended('active', {
		...(result === null ? {} : { result }),
		failure: null,
		wrongPins: 0,
		event: { code, params: {} }
	});
}

function afterFailure(
	row: ActivationRow,
	failure: Failure,
	result: Plain | null,
	now: number
): Patch {
	// The failure is kept: this row does not know with which settings the coin is active.
	if (isAlreadyActive(failure)) return { ...active(result, 'active.before'), failure };
	if (failure.kind === 'switched-off') {
		// Nothing was sent: it ends now, instead of beginning once the safety control is off.
		if (row.cancel_by !== null) {
			return endOf(row) === 'look' ? { state: 'waiting', reason: null, due: now } : endedBefore();
		}
		return { reason: callReason('call.stopped', failure), due: now + SWITCHED_MS };
	}
	return isPassing(failure) ? later(row, failure, now) : failed(row, failure);
}

/** The failure when no server answers or can be reached, so that the activation cannot continue. */
const noServer = (probes: readonly Probe[]): Failure => ({
	kind: 'refused',
	type: 'NoServerAnswers',
	message: '',
	data: {
		servers: probes.length,
		...(probes[0]?.protocol === 'gRPC' ? { kind: 'lightwalletd' } : {})
	}
});

/** Groups probes by kind of server: one server of each kind suffices, and each kind needs one. */
export const byKindOfServer = (probes: readonly Probe[]): Probe[][] => [
	...Map.groupBy(probes, ({ protocol }) => (protocol === 'gRPC' ? 'light' : 'chain')).values()
];

function afterProbes(
	row: ActivationRow,
	probes: Probe[],
	refused: Failure | null,
	now: number
): Patch {
	if (refused) return { ...failed(row, refused), probes };
	const online = probes.filter(({ ok }) => ok).length;
	const silent = byKindOfServer(probes).find((kind) => !kind.some(({ ok }) => ok));
	if (silent !== undefined) {
		return { ...later(row, noServer(silent), now), probes };
	}
	return {
		state: 'starting',
		probes,
		reason: null,
		due: now,
		event: { code: 'servers.answered', params: { online, all: probes.length } }
	};
}

/** Whether a task failed with another coin than the requested one. */
function isOfOtherCoin({ coin }: ActivationRow, failure: Failure): boolean {
	const ticker = tickerOf(failure);
	return ticker !== null && ticker !== coin;
}

/** Task ids start again when a node is restarted: this task belongs to another caller, and so does its result. */
const otherCoins = ({ task_id: task }: ActivationRow): Patch =>
	ended('void', { event: { code: 'task.other-coin', params: { task: Number(task) } } });

function afterStatus(row: ActivationRow, status: TaskStatus, now: number): Patch {
	const young = now - Number(row.attempt_since) < YOUNG_MS;
	const due = now + (young ? POLL_MS.young : POLL_MS.old);
	switch (status.kind) {
		case 'progress':
			return { state: 'running', step: status.step, reason: null, actionSince: null, due };
		case 'action':
			// The node waits anew for each kind of input.
			return row.state === 'action'
				? {
						step: status.step,
						reason: null,
						due: now + POLL_MS.young,
						...(row.step === JSON.stringify(status.step) ? {} : { actionSince: now })
					}
				: {
						state: 'action',
						step: status.step,
						reason: null,
						actionSince: now,
						due: now + POLL_MS.young,
						event: { code: 'device.asked', params: {} }
					};
		case 'ok':
			if (status.isOurs === null) return { due: now + AWAY_MS };
			return status.isOurs
				? withForget(active(status.result, 'active'), row, now)
				: otherCoins(row);
		case 'error':
			if (isOfOtherCoin(row, status.failure)) return otherCoins(row);
			return withForget(afterFailure(row, status.failure, null, now), row, now);
	}
}

/**
 * Ends an activation whose task the node does not know, unless it is only silent about the coin now.
 * @param why why it is not known whether the coin is active
 */
function withoutTask(
	row: ActivationRow,
	isActive: Exclude<Activity, true>,
	why: Failure,
	now: number
): Patch {
	const event = { code: 'task.unknown', params: { task: Number(row.task_id) } } as const;
	if (isActive === false) return ended('void', { event });
	if (row.cancel_by !== null) return endedUnsure(why);
	return isActive === 'untold'
		? ended('void', { failure: why, event })
		: { reason: callReason('call.failed', why), due: now + AWAY_MS };
}

function withoutStatus(
	row: ActivationRow,
	{ failure, active: isActive, result, why }: Extract<StepEvent, { about: 'no-status' }>,
	now: number
): Patch {
	if (isActive === true) return active(result, 'active.read-elsewhere');
	if (isNoSuchTask(failure)) return withoutTask(row, isActive, why ?? failure, now);
	// The task cannot be cancelled, and its status will not tell how it ended.
	if (row.cancel_by !== null && hasNoResult(failure)) return endedUnsure(failure);
	// A proxy before a node that is down sends such answers, too: the task may go on.
	const isStrange = failure.kind === 'misfit' && now - Number(row.attempt_since) > YOUNG_MS;
	const wait = isOwn(failure) || isStrange ? SELDOM_MS : AWAY_MS;
	return { reason: callReason('call.failed', failure), due: now + wait };
}

/**
 * Returns the change that follows from the outcome of an action. Pure.
 * @param now Unix milliseconds
 */
export function transition(row: ActivationRow, seen: StepEvent, now: number): Patch {
	switch (seen.about) {
		case 'nothing':
			if (row.cancel_by !== null) return { ...endedBefore(), ...forgetStill(row, now) };
			return {
				state: firstState(row.params),
				attempt: Number(row.attempt) + 1,
				taskId: null,
				due: now,
				event: { code: 'attempt.begun', params: { attempt: Number(row.attempt) + 1 } }
			};
		case 'probed':
			return afterProbes(row, seen.probes, seen.refused, now);
		case 'begun':
			return {
				state: 'running',
				taskId: seen.taskId,
				failure: null,
				reason: null,
				due: now,
				// A node counts its tasks from 0 after each start and never gives an id twice, so that tasks
				// with this id or a higher one are lost. Only those that were known before the call: a task
				// that became known since may have begun after this one, whose answer came later.
				voids: seen.before.filter(({ taskId }) => taskId >= seen.taskId),
				event: { code: 'task.begun', params: { task: seen.taskId } }
			};
		case 'done':
			return active(seen.result, 'active');
		case 'not-begun':
			return afterFailure(row, seen.failure, seen.result, now);
		case 'status':
			return afterStatus(row, seen.status, now);
		case 'no-status':
			return withoutStatus(row, seen, now);
		case 'looked':
			// The failure is kept: it says that the node may have acted.
			return {
				...(seen.active === true
					? active(seen.result, 'active.all-the-same')
					: ended('cancelled', { event: { code: 'ended.unsure', params: {} } })),
				...forgetStill(row, now)
			};
		case 'cancelled':
			return ended('cancelled', { failure: null, event: { code: 'task.ended', params: {} } });
		case 'not-cancelled':
			if (isTaskFinished(seen.failure)) {
				return {
					cancelBy: null,
					due: now,
					event: { code: 'task.finished-before', params: {} }
				};
			}
			if (isOwn(seen.failure)) return endedUnsure(seen.failure);
			// Otherwise the task would be cancelled again and again, and its end never seen.
			if (isByNode(seen.failure) && !isBeingCancelled(seen.failure)) {
				return {
					cancelBy: null,
					due: now + AWAY_MS,
					event: { code: 'end.refused', params: {} }
				};
			}
			return { reason: callReason('call.failed', seen.failure), due: now + AWAY_MS };
		case 'forgotten':
			return {
				forgetTask: null,
				due: familyOf(row.method) !== null && row.state === 'waiting' ? waitingDue(row, now) : null
			};
		case 'not-forgotten':
			return { due: now + AWAY_MS };
	}
}

/** Returns when the next try of a waiting activation is due: removing an old result must not bring it forward. */
function waitingDue(row: ActivationRow, now: number): number {
	const seconds = RETRY_AFTER_S[Number(row.attempt) - 1] ?? 0;
	// When the clock was set back since, a stored time may lie in the future.
	return Math.min(Number(row.state_since), now) + seconds * 1_000;
}
