/**
 * What becomes of an activation: one pure function says what is to be done next, another what follows from
 * what was seen. Everything they read is in the row, so that any worker may go on after a crash.
 */
import type { Selectable } from 'kysely';
import type { ActivationEvent } from '#lib/messages/activation/events.ts';
import { callReason, type ActivationReason } from '#lib/messages/activation/reasons.ts';
import type { Probe } from '../egress/electrum.ts';
import type { Failure } from '#lib/messages/errors/activation.ts';
import {
	afterEarlier,
	isAlreadyActive,
	isNoSuchTask,
	isPassing,
	isTaskFinished,
	isUnknownNode,
	isWrongPin,
	mayBeDone,
	tickerOf,
	wasAsked
} from './failure.ts';
import { familyOf } from './methods.ts';
import type { Plain } from '../client/plain.ts';
import { RETRY_AFTER_S, type ActivationState } from './states.ts';
import type { ActivationsTable } from './tables.ts';

export type ActivationRow = Selectable<ActivationsTable> & {
	/** What is encrypted cannot be read: it was changed, or stored under another key. It stands as an empty request. */
	unreadable?: true;
};

/** What is to be done with the outside world now. */
export type Act =
	/** Look at the servers. */
	| 'probe'
	/** Ask the node to activate: start the task, or make the call. */
	| 'begin'
	/** Ask how the task is; its result stays with the node. */
	| 'poll'
	/** End the task. */
	| 'cancel'
	/** Read a stored result once more, so that the node lets go of it. */
	| 'forget'
	/** Ask whether the coin is active: a call that nobody heard an answer to may have done it. */
	| 'look'
	/** Nothing outside: the row itself moves on. */
	| 'move'
	/** Nothing at all. */
	| 'rest';

/** A task as the node tells it; an error is final, whatever the word beside it. */
export type TaskStatus =
	| { kind: 'progress'; step: Plain }
	| { kind: 'action'; step: Plain }
	/** `isOurs`: whether it is of our coin by what the node says; null where the node does not say now. */
	| { kind: 'ok'; result: Plain; isOurs: boolean | null }
	| { kind: 'error'; failure: Failure };

/** A task of a node that an activation waits for. */
export interface OpenTask {
	/** Of the activation. */
	id: string;
	taskId: number;
}

/** What came of an act. */
export type StepEvent =
	| { about: 'nothing' }
	| { about: 'probed'; probes: Probe[]; refused: Failure | null }
	/** `before`: the tasks of the node that were open when it was asked. */
	| { about: 'begun'; taskId: number; before: readonly OpenTask[] }
	| { about: 'done'; result: Plain }
	/** `active`: what a look at the active coins said after a failure; null when it said nothing. */
	| { about: 'not-begun'; failure: Failure; result: Plain | null }
	| { about: 'status'; status: TaskStatus }
	| { about: 'no-status'; failure: Failure; active: boolean | null; result: Plain | null }
	/** `active` as above. */
	| { about: 'looked'; active: boolean | null; result: Plain | null }
	| { about: 'cancelled' }
	| { about: 'not-cancelled'; failure: Failure }
	| { about: 'forgotten' }
	| { about: 'not-forgotten' };

/** One write. What is left out stays. */
export interface Patch {
	state?: ActivationState;
	attempt?: number;
	taskId?: number | null;
	forgetTask?: number | null;
	step?: Plain | null;
	probes?: Probe[];
	result?: Plain;
	failure?: Failure | null;
	/** Why it waits, though it goes on by itself. */
	reason?: ActivationReason | null;
	cancelBy?: null;
	actionSince?: number | null;
	wrongPins?: number;
	/** Unix milliseconds; null when nothing is due. */
	due: number | null;
	/** What happened. */
	event?: ActivationEvent;
	/** Tasks that were lost with an earlier run of the node. */
	voids?: readonly OpenTask[];
}

/** Milliseconds between two looks at a task: often while it is young. */
const POLL_MS = { young: 1_000, old: 3_000 };
const YOUNG_MS = 60_000;
/** After a look that gave no answer. */
const AWAY_MS = 3_000;
/** While no node of its name is configured: a server with another configuration may know it. */
const UNCONFIGURED_MS = 60_000;
/** While a switch of this console holds it up. */
const SWITCHED_MS = 5_000;

/** What the last try ended with; null while there was none, and once one was begun. */
const lastFailure = ({ failure }: ActivationRow): Failure | null =>
	failure === null ? null : (JSON.parse(failure) as Failure);

/** Whether it ends with this although its node was asked for nothing. */
export function endsUnasked(row: ActivationRow, { state, failure }: Patch): boolean {
	if ((state !== 'failed' && state !== 'cancelled') || row.task_id !== null) return false;
	const last = failure ?? lastFailure(row);
	return last === null || !wasAsked(last);
}

/** How one ends that has no task: where a call went out and was not answered, the node may have acted. */
function endOf(row: ActivationRow): 'look' | 'move' {
	const last = lastFailure(row);
	return last !== null && mayBeDone(last) ? 'look' : 'move';
}

/** What to do with an activation whose time has come. */
export function nextAct(row: ActivationRow): Act {
	if (row.forget_task !== null) return 'forget';
	const ending = row.cancel_by !== null;
	switch (row.state) {
		case 'probing':
			return ending ? endOf(row) : 'probe';
		case 'starting':
			// A task that a crash hid from us can only be ended once its id is known.
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

interface NamedServers {
	servers?: unknown[];
	/** Of shielded coins, as what follows. */
	electrum_servers?: unknown[];
	light_wallet_d_servers?: string[];
}

/** What a request says of its servers. */
function namedServers(params: string): NamedServers {
	const read = JSON.parse(params) as NamedServers & {
		activation_params?: { mode?: { rpc_data?: NamedServers } };
	};
	return read.servers === undefined ? (read.activation_params?.mode?.rpc_data ?? {}) : read;
}

/** Electrum servers that the request names. */
export function serversOf(params: string): unknown[] {
	const { servers, electrum_servers: beside } = namedServers(params);
	return servers ?? beside ?? [];
}

/** Addresses of lightwalletd servers that the request names. */
export const lightServersOf = (params: string): string[] =>
	namedServers(params).light_wallet_d_servers ?? [];

/** Addresses of nodes of an EVM chain that the request names. */
export function nodesOf(params: string): string[] {
	const { nodes = [], urls = [] } = JSON.parse(params) as {
		nodes?: { url: string }[];
		urls?: string[];
	};
	return [...nodes.map(({ url }) => url), ...urls];
}

/** Where an activation begins: with a look at what the request names, if it names anything. */
export const firstState = (params: string): 'probing' | 'starting' =>
	[serversOf, nodesOf, lightServersOf].some((named) => named(params).length > 0)
		? 'probing'
		: 'starting';

const ended = (state: ActivationState, more: Omit<Patch, 'due' | 'state'>): Patch => ({
	state,
	step: null,
	reason: null,
	actionSince: null,
	due: null,
	...more
});

const endedBefore = (): Patch =>
	ended('cancelled', { failure: null, event: { code: 'ended.before', params: {} } });

/** The result is there: the node may let go of it. */
const withForget = (patch: Patch, row: ActivationRow, now: number): Patch =>
	row.task_id === null ? patch : { ...patch, forgetTask: Number(row.task_id), due: now };

function failed(row: ActivationRow, failure: Failure): Patch {
	return ended('failed', {
		failure: afterEarlier(lastFailure(row), failure),
		...(isWrongPin(failure) ? { wrongPins: Number(row.wrong_pins) + 1 } : {}),
		event: { code: 'failed', params: {} }
	});
}

/** Another try later, or the end when there were enough of them. */
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
	// What the node said stays: with which settings the coin is active is not known by this row.
	if (isAlreadyActive(failure)) return { ...active(result, 'active.before'), failure };
	if (failure.kind === 'switched-off') {
		// Nothing went out: it ends now, and does not begin once the switch is off.
		if (row.cancel_by !== null) {
			return endOf(row) === 'look' ? { state: 'waiting', reason: null, due: now } : endedBefore();
		}
		return { reason: callReason('call.stopped', failure), due: now + SWITCHED_MS };
	}
	return isPassing(failure) ? later(row, failure, now) : failed(row, failure);
}

/** Nobody answers, or what answers cannot be reached: not a fault of the servers, but nothing to go on with. */
const noServer = (probes: readonly Probe[]): Failure => ({
	kind: 'refused',
	type: 'NoServerAnswers',
	message: '',
	data: {
		servers: probes.length,
		...(probes[0]?.protocol === 'gRPC' ? { kind: 'lightwalletd' } : {})
	}
});

/** Servers that do the same for a coin: one of each kind is enough, and none of a kind is too few. */
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

/** Whether a task failed with another coin than the one that was asked for. */
function isOfOtherCoin({ coin }: ActivationRow, failure: Failure): boolean {
	const ticker = tickerOf(failure);
	return ticker !== null && ticker !== coin;
}

/** Ids begin anew when a node is restarted: this is somebody else's task, and the result is left to them. */
const otherCoins = ({ task_id: task }: ActivationRow): Patch =>
	ended('void', { event: { code: 'task.other-coin', params: { task: Number(task) } } });

function afterStatus(row: ActivationRow, status: TaskStatus, now: number): Patch {
	const young = now - Number(row.attempt_since) < YOUNG_MS;
	const due = now + (young ? POLL_MS.young : POLL_MS.old);
	switch (status.kind) {
		case 'progress':
			return { state: 'running', step: status.step, reason: null, actionSince: null, due };
		case 'action':
			return row.state === 'action'
				? { step: status.step, reason: null, due: now + POLL_MS.young }
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

function withoutStatus(
	row: ActivationRow,
	{ failure, active: isActive, result }: Extract<StepEvent, { about: 'no-status' }>,
	now: number
): Patch {
	if (isActive === true) return active(result, 'active.read-elsewhere');
	if (isNoSuchTask(failure)) {
		return isActive === false
			? ended('void', { event: { code: 'task.unknown', params: { task: Number(row.task_id) } } })
			: { due: now + AWAY_MS };
	}
	const wait = isUnknownNode(failure) ? UNCONFIGURED_MS : AWAY_MS;
	return { reason: callReason('call.failed', failure), due: now + wait };
}

/** What follows from what was seen. Pure. @param now Unix milliseconds */
export function transition(row: ActivationRow, seen: StepEvent, now: number): Patch {
	switch (seen.about) {
		case 'nothing':
			if (row.cancel_by !== null) return endedBefore();
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
				// A node counts its tasks from 0 after each start and never gives an id twice. One whose task was heard of
				// only meanwhile may have been begun behind this one, whose answer came later.
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
			// The failure stays: it says that the node may have acted.
			return seen.active === true
				? active(seen.result, 'active.all-the-same')
				: ended('cancelled', { event: { code: 'ended.unsure', params: {} } });
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
			if (isNoSuchTask(seen.failure)) return { cancelBy: null, due: now };
			if (isUnknownNode(seen.failure)) {
				const event = { code: 'ended.unsure', params: {} } as const;
				return ended('cancelled', { failure: seen.failure, event });
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

/** When the next try of a waiting activation is: reading a result away must not bring it forward. */
function waitingDue(row: ActivationRow, now: number): number {
	const seconds = RETRY_AFTER_S[Number(row.attempt) - 1] ?? 0;
	// Of a clock that was set back since, a moment may lie ahead.
	return Math.min(Number(row.state_since), now) + seconds * 1_000;
}
