import { stringifyJson, type JsonValue } from '#lib/rpc/json.ts';
import { int } from '../rpc/coins.ts';
import { KdfError } from './error.ts';
import type { KdfRules } from './rules.ts';
import type { Streams } from './streams.ts';

/** A user's answer to a task's question. */
export interface UserAction {
	kind: 'pin' | 'passphrase';
	text: string;
}

/** Thrown within a task that was cancelled. */
class Cancelled extends Error {
	override readonly name = 'Cancelled';
}

/** A task's question was not answered in time. */
export class ActionTimeout extends Error {
	override readonly name = 'ActionTimeout';
	readonly seconds: number;

	constructor(seconds: number) {
		super(`RPC timed out ${seconds}s`);
		this.seconds = seconds;
	}
}

interface Awaiting {
	kind: 'pin' | 'passphrase';
	details: JsonValue;
	give: (action: UserAction) => void;
	fail: (error: Error) => void;
}

/** A long-running task. */
interface Task {
	id: number;
	family: string;
	/** What the task is about, for display in the control API. */
	subject: string;
	details: JsonValue;
	/** Whether its status was requested since the step began. */
	isSeen: boolean;
	awaiting: Awaiting | null;
	cancelled: boolean;
	onCancel: () => void;
	/** Listener of the event stream that is notified of changes. */
	client: bigint;
	end: { result: JsonValue } | { error: KdfError } | null;
}

/** The functions with which a task's code reports and waits. */
export interface TaskHandle {
	/** Enters a step and waits for its minimum time; throws when the task was cancelled. */
	step(details: JsonValue): Promise<void>;
	/** Waits for an external condition. @throws {ActionTimeout} */
	until(details: JsonValue, holds: () => boolean, seconds: number): Promise<void>;
	/** Asks the user. @throws {ActionTimeout} */
	ask(kind: 'pin' | 'passphrase', seconds: number): Promise<UserAction>;
	/** True once the task was cancelled. */
	readonly cancelled: boolean;
}

const LOOK_EVERY_MS = 25;

const noSuchTask = (status: number, id: bigint, verb: string): KdfError =>
	new KdfError(status, 'NoSuchTask', `No such task '${id}'`, int(id), originOf(verb));

const originOf = (verb: string): { path: string; trace: string } =>
	verb === 'status'
		? { path: 'init_standalone_coin', trace: 'init_standalone_coin:139]' }
		: {
				path: 'init_standalone_coin.manager',
				trace:
					verb === 'cancel'
						? 'init_standalone_coin:167] manager:163]'
						: 'init_standalone_coin:154] manager:362]'
			};

/** All tasks of a node: ids are shared, each family has its own table. They do not survive a restart. */
export class Tasks {
	readonly #rules: KdfRules;
	readonly #streams: Streams;
	/** Unix seconds of the network's clock, which tests can advance. */
	readonly #clock: () => number;
	readonly #tasks = new Map<number, Task>();
	#next = 0;
	/** Minimum duration of each step in milliseconds. */
	paceMs = 60;
	/** While true, every task stays in its step. */
	held = false;
	/** While true, a step lasts until its status was requested, so that clients see every step. */
	untilSeen = false;

	constructor(rules: KdfRules, clock: () => number, streams: Streams) {
		this.#rules = rules;
		this.#streams = streams;
		this.#clock = clock;
	}

	/** Starts a task and returns its id. */
	start(
		family: string,
		subject: string,
		first: JsonValue,
		run: (handle: TaskHandle) => Promise<JsonValue>,
		{ client, onCancel = () => {} }: { client: bigint; onCancel?: () => void }
	): number {
		const id = this.#next++;
		const task: Task = {
			id,
			family,
			subject,
			details: first,
			isSeen: false,
			awaiting: null,
			cancelled: false,
			onCancel,
			client,
			end: null
		};
		this.#tasks.set(id, task);
		run(this.#handle(task)).then(
			(result) => {
				task.end = { result };
				this.#tell(task);
			},
			(cause: unknown) => {
				task.end = { error: this.#errorOf(cause) };
				this.#tell(task);
			}
		);
		return id;
	}

	#errorOf(cause: unknown): KdfError {
		if (cause instanceof KdfError) return cause;
		const text = cause instanceof Error ? cause.message : String(cause);
		return new KdfError(500, 'Internal', `Internal error: ${text}`, text);
	}

	/** Notifies the client that started the task, unless it was cancelled. */
	#tell(task: Task): void {
		if (!task.cancelled) this.#streams.tell(task.client, `TASK:${task.id}`, this.#shown(task));
	}

	/** Changes the step; an unchanged one is not reported. */
	#show(task: Task, details: JsonValue): void {
		const isNew = stringifyJson(details) !== stringifyJson(task.details);
		task.details = details;
		if (isNew) this.#tell(task);
	}

	#handle(task: Task): TaskHandle {
		const alive = (): void => {
			if (task.cancelled) throw new Cancelled();
		};
		const pause = (ms: number): Promise<void> =>
			new Promise((resolve) => void setTimeout(resolve, ms).unref());
		const until = async (details: JsonValue, holds: () => boolean, seconds: number) => {
			alive();
			this.#show(task, details);
			const end = this.#clock() + seconds;
			while (!holds()) {
				if (this.#clock() >= end) throw new ActionTimeout(seconds);
				await pause(LOOK_EVERY_MS);
				alive();
			}
		};
		return {
			get cancelled() {
				return task.cancelled;
			},
			until,
			step: async (details) => {
				alive();
				this.#show(task, details);
				task.isSeen = false;
				await pause(this.paceMs);
				const stays = (): boolean => this.held || (this.untilSeen && !task.isSeen);
				while (stays() && !task.cancelled) await pause(LOOK_EVERY_MS);
				alive();
			},
			ask: async (kind, seconds) => {
				alive();
				const end = this.#clock() + seconds;
				let timer: NodeJS.Timeout | undefined;
				try {
					const action = await new Promise<UserAction>((give, fail) => {
						const details = kind === 'pin' ? 'EnterTrezorPin' : 'EnterTrezorPassphrase';
						task.awaiting = { kind, details, give, fail };
						this.#tell(task);
						timer = setInterval(() => {
							if (this.#clock() >= end) fail(new ActionTimeout(seconds));
						}, LOOK_EVERY_MS).unref();
					});
					alive();
					if (action.kind !== kind) {
						const wanted = kind === 'pin' ? 'TrezorPin' : 'TrezorPassphrase';
						throw new Error(`RPC 'task' is awaiting '${wanted}' user action`);
					}
					return action;
				} finally {
					clearInterval(timer);
					task.awaiting = null;
				}
			}
		};
	}

	#find(family: string, id: bigint): Task | undefined {
		const task = id > BigInt(this.#next) ? undefined : this.#tasks.get(Number(id));
		return task?.family === family && !task.cancelled ? task : undefined;
	}

	/** Returns the result of `status`; forgets a finished task if requested. @throws {KdfError} */
	status(family: string, id: bigint, forget: boolean): JsonValue {
		const task = this.#find(family, id);
		if (!task) throw noSuchTask(400, id, 'status');
		task.isSeen = true;
		if (task.end && forget) this.#tasks.delete(task.id);
		return this.#shown(task);
	}

	#shown(task: Task): JsonValue {
		const { seedForms } = this.#rules;
		if (task.end) {
			if ('result' in task.end) return { status: 'Ok', details: task.end.result };
			const error = task.end.error.members();
			// The interface document does not show which status accompanies the error.
			return seedForms
				? { status: 'Failed', details: { result: error } }
				: { status: 'Error', details: error };
		}
		if (task.awaiting) {
			return seedForms
				? { status: 'UserActionRequired' }
				: { status: 'UserActionRequired', details: task.awaiting.details };
		}
		return { status: 'InProgress', details: task.details };
	}

	/** Passes on the user's answer. @throws {KdfError} */
	action(family: string, id: bigint, action: UserAction): void {
		const task = this.#find(family, id);
		if (!task) throw noSuchTask(400, id, 'user_action');
		if (!task.awaiting) {
			const data = `RPC '${id}' task is in unexpected status. Actual: '${task.end ? 'Finished' : 'InProgress'}', expected: 'AwaitingUserAction'`;
			throw new KdfError(500, 'Internal', `Internal error: ${data}`, data, {
				path: 'init_standalone_coin.manager',
				trace: 'init_standalone_coin:154] manager:360]'
			});
		}
		const { give } = task.awaiting;
		task.awaiting = null;
		this.#tell(task);
		give(action);
	}

	/** Cancels a task, which then no longer exists for clients. @throws {KdfError} */
	cancel(family: string, id: bigint): void {
		const task = this.#find(family, id);
		if (!task) throw noSuchTask(404, id, 'cancel');
		if (task.end) {
			throw new KdfError(409, 'TaskFinished', 'Task is finished already', int(id), {
				path: 'init_standalone_coin.manager',
				trace: 'init_standalone_coin:167] manager:144]'
			});
		}
		task.cancelled = true;
		this.#tasks.delete(task.id);
		task.awaiting?.fail(new Cancelled());
		task.onCancel();
	}

	/** Cancels all tasks, when the node stops. */
	dropAll(): void {
		for (const task of this.#tasks.values()) {
			task.cancelled = true;
			task.awaiting?.fail(new Cancelled());
		}
		this.#tasks.clear();
	}

	/** Lists all tasks for the control API. */
	list(): { id: number; family: string; subject: string; state: string; details: JsonValue }[] {
		return [...this.#tasks.values()].map(({ id, family, subject, details, awaiting, end }) => ({
			id,
			family,
			subject,
			state: end
				? 'error' in end
					? 'Error'
					: 'Ok'
				: awaiting
					? 'UserActionRequired'
					: 'InProgress',
			details: awaiting?.details ?? details
		}));
	}
}
