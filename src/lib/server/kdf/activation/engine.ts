/**
 * Moves activations. Whatever is about to be done stands in the database before it is done, and every act can
 * be done again: a coin that is active already counts as activated.
 */
import type { KdfMethod, KdfParams, KdfResult } from '#lib/rpc/kdf/index.ts';
import type { Lease } from '../../platform/jobs/rows.ts';
import { Runner, type RunnerParts } from '../../platform/jobs/runner.ts';
import type { Egress } from '../egress/egress.ts';
import { probeAll, type ElectrumServer, type Probe } from '../egress/electrum.ts';
import { probeAllEvm } from '../egress/evm.ts';
import { probeAllLight } from '../egress/lightwalletd.ts';
import {
	byKindOfServer,
	endsUnasked,
	lightServersOf,
	transition,
	nextAct,
	nodesOf,
	serversOf,
	type Act,
	type ActivationRow,
	type StepEvent,
	type TaskStatus
} from './transition.ts';
import type { Failure } from '#lib/messages/errors/activation.ts';
import { isAlreadyActive, isNoSuchCoin, isNoSuchTask, isUnknownNode } from './failure.ts';
import { DEVICE, familyOf, taskMethod } from './methods.ts';
import { plain, type Plain } from '../client/plain.ts';
import type { ActivationStore } from './store.ts';
import { isAppError } from '../../platform/errors/appError.ts';

/** Calls to trading nodes, by the id of the node. */
export interface KdfPort {
	/** @throws {AppError} `activation.call-failed` */
	call<M extends KdfMethod>(node: string, method: M, params: KdfParams<M>): Promise<KdfResult<M>>;
}

interface EngineOptions extends Pick<RunnerParts, 'onError' | 'onStep' | 'news'> {
	nodes: KdfPort;
	egress: Egress;
	store: ActivationStore;
	/** Why whoever began it may not have it begin now; null when they may. */
	refusal: (row: ActivationRow) => Promise<Failure | null>;
	/** Hears of one that ended before anything was asked of its node. */
	onUnasked: (row: ActivationRow) => Promise<void>;
	/** The number under which a node tells us of tasks now; null where nobody listens. */
	listener?: ((node: string) => number | null) | undefined;
}

/** Activations that one server moves at the same time: a call may take minutes. */
const MAX_CONCURRENCY = 12;
/** A call that a node is still busy with is not waited for: whoever goes on asks again. */
const TIMEOUT_MS = 2_000;
/** More moves without a rest are a fault of ours. */
const MOST_MOVES = 16;

/**
 * How long a task is left alone after a look, whatever the node tells of it: a shielded wallet tells of every block
 * that it reads. Milliseconds of a clock that nobody sets.
 */
const REST_MS = 250;
/** Hints that are looked up at the same time; further ones are passed over, and polling goes on. */
const MOST_HINTS = 16;

/** A look at a task, and the rest after it. */
interface Look {
	/** Something happened to the task meanwhile. */
	again: boolean;
	/** Ends the rest. */
	timer?: NodeJS.Timeout;
}

/** What the node says of a coin; `active` is null when it does not say now. */
interface Found {
	active: boolean | null;
	result: Plain | null;
}

const NOT_SAID: Found = { active: null, result: null };

const taskKey = (node: string, task: number): string => `${task} ${node}`;

async function attempt<T>(work: Promise<T>): Promise<{ value: T } | { failure: Failure }> {
	try {
		return { value: await work };
	} catch (error) {
		if (isAppError(error, 'activation.call-failed')) return { failure: error.params.failure };
		throw error;
	}
}

/** A task's status; a result that is there may be another's. */
type StatusRead =
	| Exclude<TaskStatus, { kind: 'ok' }>
	/** `ticker` is what the result itself names; null where it names none. */
	| { kind: 'ok'; result: Plain; ticker: string | null };

/** What a task's status says. The registry has put an error of either dialect into one form. */
function readStatus(status: KdfResult<KdfMethod>): StatusRead {
	const { status: word, details } = plain(status) as {
		status: string;
		details: Plain;
	};
	if (word === 'Error') {
		const {
			error,
			error_type: type,
			error_data: data,
			error_path: path = '',
			error_trace: trace = ''
		} = details as {
			error: string;
			error_path?: string;
			error_trace?: string;
			error_type: string;
			error_data?: Plain;
		};
		return {
			kind: 'error',
			failure: {
				kind: 'refused',
				type,
				message: error,
				data: data ?? null,
				place: { path, trace }
			}
		};
	}
	if (word === 'Ok') {
		const { ticker } = details as { ticker?: unknown };
		return { kind: 'ok', result: details, ticker: typeof ticker === 'string' ? ticker : null };
	}
	return { kind: word === 'UserActionRequired' ? 'action' : 'progress', step: details };
}

/** No more connections than the servers that are left: with fewer than the least, the node would wait for ever. */
function fewerConnections(data: { readonly [name: string]: Plain }): { [name: string]: Plain } {
	const left = (data['servers'] ?? data['electrum_servers']) as readonly Plain[] | undefined;
	const most = Math.max(1, left?.length ?? 1);
	const fitting = Object.entries(data).map(([name, value]) => [
		name,
		/^m(?:in|ax)_connected$/.test(name) && typeof value === 'number' ? Math.min(value, most) : value
	]);
	return Object.fromEntries(fitting) as { [name: string]: Plain };
}

/** The request without servers that lead into a private network nobody listed. */
function permitted(row: ActivationRow): Plain {
	const params = JSON.parse(row.params) as { [name: string]: Plain };
	const probes = JSON.parse(row.probes ?? '[]') as Probe[];
	const closed = new Set(
		probes.filter(({ forbidden }) => forbidden).map(({ url, protocol }) => `${protocol} ${url}`)
	);
	const open = (servers: Plain): Plain =>
		(servers as unknown as ElectrumServer[]).filter(
			({ url, protocol }) => !closed.has(`${protocol} ${url}`)
		) as unknown as Plain;
	if (closed.size === 0) return params;
	const isOpen = (url: string): boolean => !closed.has(`HTTP ${url}`);
	const { nodes, urls } = params as { nodes?: { url: string }[]; urls?: string[] };
	if (nodes !== undefined) return { ...params, nodes: nodes.filter(({ url }) => isOpen(url)) };
	if (urls !== undefined) return { ...params, urls: urls.filter(isOpen) };
	if (params['servers'] !== undefined) {
		return fewerConnections({ ...params, servers: open(params['servers']) });
	}
	const activation = params['activation_params'] as { [name: string]: Plain };
	const mode = activation['mode'] as { rpc: string; rpc_data: { [name: string]: Plain } };
	const { servers, electrum_servers: beside, light_wallet_d_servers: light } = mode.rpc_data;
	const data = fewerConnections({
		...mode.rpc_data,
		...(servers === undefined ? {} : { servers: open(servers) }),
		...(beside === undefined ? {} : { electrum_servers: open(beside) }),
		...(light === undefined
			? {}
			: {
					light_wallet_d_servers: (light as string[]).filter((url) => !closed.has(`gRPC ${url}`))
				})
	});
	return {
		...params,
		activation_params: { ...activation, mode: { ...mode, rpc_data: data } }
	};
}

export class ActivationEngine {
	readonly #nodes: KdfPort;
	readonly #egress: Egress;
	readonly #store: ActivationStore;
	readonly #refusal: EngineOptions['refusal'];
	readonly #onUnasked: EngineOptions['onUnasked'];
	readonly #listener: (node: string) => number | null;
	readonly #onError: (error: unknown) => void;
	/** Tasks that are being asked for now, or were a moment ago. */
	readonly #asked = new Map<string, Look>();
	#hints = 0;
	/** Does the moving when it is due. */
	readonly runner: Runner;

	constructor({ nodes, egress, store, refusal, onUnasked, listener, ...options }: EngineOptions) {
		this.#nodes = nodes;
		this.#egress = egress;
		this.#store = store;
		this.#refusal = refusal;
		this.#onUnasked = onUnasked;
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

	/** A node says that something happened to a task: it is asked soon instead of at its time. */
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

	/** Moves nothing more, and asks no more of what was told. */
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
			if (endsUnasked(row, patch)) await this.#onUnasked(row);
		}
	}

	/** Does it. What the node tells of the same task meanwhile, and soon after, leads to one more look. */
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

	/** What waited for its time or its node is asked for once more, as a send is. */
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
				return { about: 'looked', ...(await this.#found(row)) };
			case 'poll':
				return this.#poll(row);
			case 'cancel': {
				const ended = await attempt(this.#task(row, 'cancel', { task_id: Number(row.task_id) }));
				return 'failure' in ended
					? { about: 'not-cancelled', failure: ended.failure }
					: { about: 'cancelled' };
			}
			case 'forget': {
				const params = { task_id: Number(row.forget_task), forget_if_finished: true };
				const read = await attempt(this.#task(row, 'status', params));
				if (!('failure' in read)) return { about: 'forgotten' };
				const isGone = isNoSuchTask(read.failure) || isUnknownNode(read.failure);
				return { about: isGone ? 'forgotten' : 'not-forgotten' };
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

	/** Names us as whoever is to be told of the task, where the node tells anybody. */
	#withListener({ node }: ActivationRow, params: Plain): Plain {
		const id = this.#listener(node);
		return id === null ? params : { ...(params as { [name: string]: Plain }), client_id: id };
	}

	async #begin(row: ActivationRow): Promise<StepEvent> {
		const params = permitted(row);
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
		// One call activates: an answer that cannot be read does not say that it was not done.
		if (failure.kind === 'misfit' && family === null) {
			const { active, result } = await this.#found(row);
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
			const isOurs = ticker === null ? await this.#isOurs(row) : ticker === row.coin;
			return { about: 'status', status: { kind, result, isOurs } };
		}
		const { failure } = read;
		const look = isNoSuchTask(failure) || failure.kind === 'misfit';
		return { about: 'no-status', failure, ...(look ? await this.#found(row) : NOT_SAID) };
	}

	/**
	 * Whether a result that names no coin is of ours: then the node has the coin among the active ones. A node that has
	 * no such list is believed; null when it does not say now.
	 */
	async #isOurs(row: ActivationRow): Promise<boolean | null> {
		if (row.coin === DEVICE) return true;
		const asked = await attempt(this.#nodes.call(row.node, 'get_enabled_coins', {}));
		if ('failure' in asked) return asked.failure.kind === 'refused' ? true : null;
		return asked.value.coins.some(({ ticker }) => ticker === row.coin);
	}

	/**
	 * Whether the node has the coin active, and what it holds then. A platform that was disabled is listed among the
	 * active ones for the sake of its tokens, but not found.
	 */
	async #found(row: ActivationRow): Promise<Found> {
		if (row.coin === DEVICE) return { active: false, result: null };
		const asked = await attempt(this.#nodes.call(row.node, 'get_enabled_coins', {}));
		if ('failure' in asked) return NOT_SAID;
		if (asked.value.coins.every(({ ticker }) => ticker !== row.coin)) {
			return { active: false, result: null };
		}
		const held = await this.#held(row);
		return 'failure' in held
			? { active: !isNoSuchCoin(held.failure), result: null }
			: { active: true, result: plain(held.value) };
	}

	#held({ node, coin }: ActivationRow) {
		return attempt(this.#nodes.call(node, 'my_balance', { coin }));
	}

	/** Balance and address of an active coin; null where the node does not say: a wallet of many addresses. */
	async #balance(row: ActivationRow): Promise<Plain | null> {
		if (row.coin === DEVICE) return null;
		const held = await this.#held(row);
		return 'failure' in held ? null : plain(held.value);
	}
}
