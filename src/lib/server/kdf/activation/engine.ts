/**
 * Advances activations. Each action is recorded in the database before it is taken, and can be taken again
 * after a crash: a coin that is active already counts as activated.
 */
import type { KdfMethod, KdfParams, KdfResult } from '#lib/rpc/kdf/index.ts';
import type { Lease } from '../../platform/jobs/rows.ts';
import { Runner, type RunnerParts } from '../../platform/jobs/runner.ts';
import type { Egress } from '../egress/egress.ts';
import { probeAll } from '../egress/electrum.ts';
import type { ElectrumServer } from '../egress/electrumServer.ts';
import { probeAllEvm } from '../egress/evm.ts';
import { probeAllLight } from '../egress/lightwalletd.ts';
import type { Probe } from '../egress/probe.ts';
import { byKindOfServer, endsUnrequested, transition } from './transition.ts';
import type { ActivationRow } from './activationRow.ts';
import { lightServersOf, nodesOf, serversOf } from '../servers/namedServers.ts';
import { nextAct, type Act } from './nextAct.ts';
import type { StepEvent } from './step.ts';
import type { Failure } from '#lib/messages/errors/activation.ts';
import { activityOf, attempt, heldOf, isResultOf } from './activity.ts';
import { isAlreadyActive } from '../calls/coinFailure.ts';
import { isByNode, isOwn } from '../calls/failure.ts';
import { isBeingCancelled, isNoSuchTask } from '../calls/taskFailure.ts';
import type { KdfPort } from '../calls/kdfPort.ts';
import { DEVICE, familyOf, taskMethod } from '../coins/methods.ts';
import { plain, type Plain } from '../client/plain.ts';
import { permittedParams } from '../servers/permittedParams.ts';
import type { ActivationStore } from './store.ts';
import { readStatus } from './taskStatus.ts';

interface EngineOptions extends Pick<RunnerParts, 'onError' | 'onStep' | 'news'> {
	nodes: KdfPort;
	egress: Egress;
	store: ActivationStore;
	/** Returns why the member who began an activation may not have it begin now; null when they may. */
	refusal: (row: ActivationRow) => Promise<Failure | null>;
	/** Called for an activation that ended before its node was asked for anything. */
	onUnrequested: (row: ActivationRow) => Promise<void>;
	/** Returns the client id under which a node sends events of tasks now; null without an event stream. */
	listener?: ((node: string) => number | null) | undefined;
}

/** Maximum number of activations that one server advances at the same time: a call may take minutes. */
const MAX_CONCURRENCY = 12;
/** How long a shutdown waits for a running call, milliseconds; another worker repeats the call. */
const TIMEOUT_MS = 2_000;
/** Maximum number of steps in a row; more would be a bug. */
const MOST_MOVES = 16;

/**
 * Pause after a poll of a task, whatever events the node sends: a shielded wallet sends one for every block
 * that it scans. Milliseconds, monotonic clock.
 */
const REST_MS = 250;
/** Maximum number of events that are handled at the same time; further ones are dropped, as polling continues. */
const MOST_HINTS = 16;

/** A poll of a task, and the pause after it. */
interface Look {
	/** Whether an event of the task has arrived since. */
	again: boolean;
	/** Ends the pause. */
	timer?: NodeJS.Timeout;
}

const taskKey = (node: string, task: number): string => `${task} ${node}`;

const paramsOf = ({ params }: ActivationRow) => JSON.parse(params) as { [name: string]: Plain };
const probesOf = ({ probes }: ActivationRow) => JSON.parse(probes ?? '[]') as Probe[];

export class ActivationEngine {
	readonly #nodes: KdfPort;
	readonly #egress: Egress;
	readonly #store: ActivationStore;
	readonly #refusal: EngineOptions['refusal'];
	readonly #onUnrequested: EngineOptions['onUnrequested'];
	readonly #listener: (node: string) => number | null;
	readonly #onError: (error: unknown) => void;
	/** Tasks that are being polled, or were a moment ago. */
	readonly #asked = new Map<string, Look>();
	#hints = 0;
	/** Runs the steps of activations that are due. */
	readonly runner: Runner;

	constructor({
		nodes,
		egress,
		store,
		refusal,
		onUnrequested,
		listener,
		...options
	}: EngineOptions) {
		this.#nodes = nodes;
		this.#egress = egress;
		this.#store = store;
		this.#refusal = refusal;
		this.#onUnrequested = onUnrequested;
		this.#listener = listener ?? (() => null);
		this.#onError = options.onError ?? (() => undefined);
		this.runner = new Runner({
			...options,
			leases: store.leases,
			maxConcurrency: MAX_CONCURRENCY,
			timeoutMs: TIMEOUT_MS,
			step: (held) => this.#walk(held)
		});
	}

	/** Handles an event of a task: the task is polled soon instead of at its due time. */
	async hint(node: string, task: number): Promise<void> {
		const asked = this.#asked.get(taskKey(node, task));
		if (asked) {
			asked.again = true;
			return;
		}
		if (this.#hints >= MOST_HINTS) return;
		this.#hints += 1;
		try {
			if (await this.#store.hint(node, task)) this.runner.wake();
		} finally {
			this.#hints -= 1;
		}
	}

	/** Stops advancing activations, and drops pending polls. */
	async stop(): Promise<void> {
		await this.runner.stop();
		for (const { timer } of this.#asked.values()) clearTimeout(timer);
		this.#asked.clear();
	}

	async #walk(lease: Lease): Promise<void> {
		for (let move = 0; move < MOST_MOVES; move++) {
			const row = await this.#store.get(lease.id);
			if (!row || row.fencing_token !== lease.fencingToken || row.due_at === null) return;
			if (Number(row.due_at) > this.#store.now) return;
			const act = nextAct(row);
			if (act === 'rest') return;
			const seen = await this.#attended(act, row);
			const patch = transition(row, seen, this.#store.now);
			await this.#store.write(lease, row, patch);
			if (endsUnrequested(row, patch)) await this.#onUnrequested(row);
		}
	}

	/** Takes the action. Events of the same task during a poll and shortly after it cause one more poll. */
	async #attended(act: Exclude<Act, 'rest'>, row: ActivationRow): Promise<StepEvent> {
		if (act !== 'poll') return this.#perform(act, row);
		const { node } = row;
		const task = Number(row.task_id);
		const key = taskKey(node, task);
		const look: Look = { again: false };
		clearTimeout(this.#asked.get(key)?.timer);
		this.#asked.set(key, look);
		try {
			return await this.#perform(act, row);
		} finally {
			look.timer = setTimeout(() => {
				if (this.#asked.get(key) === look) this.#asked.delete(key);
				if (look.again) this.hint(node, task).catch(this.#onError);
			}, REST_MS);
			look.timer.unref();
		}
	}

	/**
	 * Checks once more whether the activation is allowed, as for a send: it may have waited for its time or
	 * its node.
	 */
	async #allowed(row: ActivationRow, begin: () => Promise<StepEvent>): Promise<StepEvent> {
		const failure = await this.#refusal(row);
		return failure === null ? begin() : { about: 'not-begun', failure, result: null };
	}

	async #perform(act: Exclude<Act, 'rest'>, row: ActivationRow): Promise<StepEvent> {
		switch (act) {
			case 'move':
				return { about: 'nothing' };
			case 'probe':
				return this.#allowed(row, () => this.#probe(row));
			case 'begin':
				return this.#allowed(row, () => this.#begin(row));
			case 'look':
				return { about: 'looked', ...(await activityOf(this.#nodes, row)) };
			case 'poll':
				return this.#poll(row);
			case 'cancel': {
				const ended = await attempt(this.#task(row, 'cancel', { task_id: Number(row.task_id) }));
				if (!('failure' in ended)) return { about: 'cancelled' };
				const { failure } = ended;
				// A task that the node does not cancel may have no status that can be read either.
				const seen = isByNode(failure) && !isBeingCancelled(failure) ? await this.#poll(row) : null;
				return seen?.about === 'no-status' ? seen : { about: 'not-cancelled', failure };
			}
			case 'forget': {
				const params = { task_id: Number(row.forget_task), forget_if_finished: true };
				const read = await attempt(this.#task(row, 'status', params));
				if (!('failure' in read)) return { about: 'forgotten' };
				// A node that refuses this keeps the result, which must not keep the activation waiting.
				const isOver = isByNode(read.failure) || isOwn(read.failure);
				return { about: isOver ? 'forgotten' : 'not-forgotten' };
			}
		}
	}

	#call(row: ActivationRow, method: KdfMethod, params: Plain): Promise<KdfResult<KdfMethod>> {
		return this.#nodes.call(row.node, method, params as KdfParams<KdfMethod>);
	}

	#task(
		row: ActivationRow,
		verb: 'init' | 'status' | 'cancel',
		params: Plain
	): Promise<KdfResult<KdfMethod>> {
		return this.#call(row, taskMethod(familyOf(row.method)!, verb), params);
	}

	async #probe(row: ActivationRow): Promise<StepEvent> {
		const servers = serversOf(row.params) as ElectrumServer[];
		const nodes = nodesOf(row.params);
		const looks = await Promise.all([
			probeAll(this.#egress, servers),
			probeAllEvm(this.#egress, nodes),
			probeAllLight(this.#egress, lightServersOf(row.params))
		]);
		const probes = looks.flat();
		const refused = byKindOfServer(probes).some((kind) => kind.every(({ forbidden }) => forbidden));
		return {
			about: 'probed',
			probes,
			refused: refused
				? {
						kind: 'refused',
						type: 'ServersNotListed',
						message: '',
						data: null
					}
				: null
		};
	}

	/** Adds the client id of the event stream, if there is one, so that the node sends events of the task. */
	#withListener({ node }: ActivationRow, params: Plain): Plain {
		const id = this.#listener(node);
		return id === null ? params : { ...(params as { [name: string]: Plain }), client_id: id };
	}

	async #begin(row: ActivationRow): Promise<StepEvent> {
		const params = permittedParams(paramsOf(row), probesOf(row));
		const family = familyOf(row.method);
		const before = family === null ? [] : await this.#store.openTasks(row.node);
		const begun = await attempt(
			family === null
				? this.#call(row, row.method as KdfMethod, params)
				: this.#task(row, 'init', this.#withListener(row, params))
		);
		if (!('failure' in begun)) {
			return family === null
				? { about: 'done', result: plain(begun.value) }
				: { about: 'begun', taskId: (begun.value as { task_id: number }).task_id, before };
		}
		const { failure } = begun;
		// A single call activates the coin: it may have done so even if its answer cannot be read.
		if (failure.kind === 'misfit' && family === null) {
			const { active, result } = await activityOf(this.#nodes, row);
			if (active === true) return { about: 'done', result };
		}
		const result = isAlreadyActive(failure) ? await this.#balance(row) : null;
		return { about: 'not-begun', failure, result };
	}

	async #poll(row: ActivationRow): Promise<StepEvent> {
		const params = { task_id: Number(row.task_id), forget_if_finished: false };
		const read = await attempt(this.#task(row, 'status', params));
		if (!('failure' in read)) {
			const status = readStatus(read.value);
			if (status.kind !== 'ok') return { about: 'status', status };
			const { kind, result, ticker } = status;
			const isOurs = ticker === null ? await isResultOf(this.#nodes, row) : ticker === row.coin;
			return { about: 'status', status: { kind, result, isOurs } };
		}
		const { failure } = read;
		const look = isNoSuchTask(failure) || failure.kind === 'misfit';
		const found = look
			? await activityOf(this.#nodes, row)
			: { active: null, result: null, why: null };
		return { about: 'no-status', failure, ...found };
	}

	/**
	 * Returns balance and address of an active coin; null when the node does not report them, as for an HD
	 * wallet.
	 */
	async #balance(row: ActivationRow): Promise<Plain | null> {
		if (row.coin === DEVICE) return null;
		const held = await heldOf(this.#nodes, row);
		return 'failure' in held ? null : plain(held.value);
	}
}
