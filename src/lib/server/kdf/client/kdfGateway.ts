import type { AnswerFault } from '#lib/messages/errors/daemon.ts';
import type { CodesOf } from '#lib/messages/errors/index.ts';
import { stringifyJson, type JsonValue } from '#lib/rpc/json.ts';
import {
	changesNothing,
	type Deadline,
	type Stoppable,
	type StoppableCall
} from '#lib/rpc/method.ts';
import { encodeKdfParams } from '#lib/rpc/kdf/codec.ts';
import { demands } from '#lib/rpc/kdf/demands.ts';
import {
	kdfDefinition,
	type KdfMethod,
	type KdfParams,
	type KdfResult
} from '#lib/rpc/kdf/index.ts';
import type { Config } from '#lib/server/platform/config/types.ts';
import {
	kdfResultOf,
	type KdfResultSaid,
	type ReadingOf
} from '../../chains/upstream/answers/read.ts';
import { readers } from '../../chains/upstream/answers/readers.ts';
import { noteActed } from '../../chains/upstream/noteActed.ts';
import { waitFor } from '../../chains/upstream/wait.ts';
import type { AuditEntry } from '../../platform/audit-trail/entry.ts';
import { databaseErrorKind } from '../../platform/database/databaseError.ts';
import { isAppError, type AppError } from '../../platform/errors/appError.ts';
import { KdfEvents } from './kdfEvents.ts';
import type { KdfStops } from './kdfStops.ts';
import type { CallWatcher, KdfCallOptions, KdfGateway, KdfInfo, KdfReply } from './kdfTypes.ts';
import { kdfError } from './kdfError.ts';
import { otherSubject } from './otherSubject.ts';
import { plain } from './plain.ts';
import { KdfUpstream, type KdfLimits } from './kdfUpstream.ts';
import { isRpcError } from '#lib/rpc/rpcError.ts';
import { noteLeftOut } from '#lib/rpc/tolerant.ts';

export interface KdfGatewayOptions {
	/** Stores refusals of passwords permanently. */
	stops: KdfStops;
	audit: { append(entry: AuditEntry): Promise<void> };
	limits?: Partial<KdfLimits>;
	deadlines?: Partial<Record<Deadline, number>>;
	/** Milliseconds between two polls of a node that is healthy, and of one that is not; null: never poll. */
	pollEvery?: { healthy: number; unhealthy: number } | null;
	/** Returns why a safety control stops a call of such a method now; null when it may be sent. */
	refusal: (method: Stoppable, call: StoppableCall) => Promise<AppError<CodesOf<'safety'>> | null>;
	/** Called when a node may have acted on a call that changes something. */
	onActed?: () => void;
	/** Backoff in milliseconds before a lost event stream is opened again. */
	eventWaits?: { first: number; last: number };
	now?: () => number;
}

const LIMITS: KdfLimits = {
	maxConcurrency: 4,
	maxQueued: 256,
	maxAnswerBytes: 64 * 1024 * 1024,
	connectTimeoutMs: 3_000,
	cooldownMs: 5_000
};
/** Milliseconds. Activation in a single call waits for servers on the internet. */
const DEADLINES: Record<Deadline, number> = {
	read: 30_000,
	build: 60_000,
	send: 60_000,
	slow: 300_000
};
/** Maximum number of tries of a read that does not reach the node. */
const TRIES = 3;
const POLL_EVERY = { healthy: 30_000, unhealthy: 5_000 };
/** Enough time for an answer that is known without a request to the node. Milliseconds. */
const KNOWN_MS = 50;
/** How long an admin waits for the check whether the password is accepted. Milliseconds. */
const CONFIRM_MS = 5_000;

/** Returns the place in a result that does not match the registry; null when the answer is not a result. */
const placeOf = (fault: AnswerFault): string | null =>
	fault.kind === 'result' ? fault.place : null;

/** Whether a failed call is certain not to have reached the node. */
const neverLeft = (error: unknown): boolean =>
	// The database is asked right before a call is sent.
	databaseErrorKind(error) !== null ||
	(isAppError(error) && (!('delivery' in error.params) || error.params.delivery === 'not-sent'));

/** Creates the gateway to the configured trading nodes and starts to poll them. */
export function createKdfGateway(
	config: Pick<Config, 'nodes'>,
	options: KdfGatewayOptions
): KdfGateway {
	const { audit, now = Date.now } = options;
	/** Records the first refusal in the audit log. */
	const stops: KdfStops = {
		...options.stops,
		async stop(node, stop) {
			const isNew = await options.stops.stop(node, stop);
			if (isNew) {
				const { reason, attemptsLeft } = stop;
				const detail = { reason, attemptsLeft };
				await audit.append({ actor: 'gateway', action: 'node.stopped', target: node, detail });
			}
			return isNew;
		}
	};
	const limits = { ...LIMITS, ...options.limits };
	const deadlines = { ...DEADLINES, ...options.deadlines };
	const pollEvery = options.pollEvery === undefined ? POLL_EVERY : options.pollEvery;
	const nodes = new Map(
		config.nodes.map((entry) => [entry.id, new KdfUpstream(entry, limits, stops, now)])
	);
	const events = new Map<string, KdfEvents>();
	let watcher: CallWatcher = {
		asking: () => Promise.resolve(() => Promise.resolve()),
		taken: () => Promise.resolve()
	};
	const timers = new Map<string, NodeJS.Timeout>();
	const shared = new Map<string, Promise<KdfReply>>();

	function find(id: string, method: KdfMethod, call: KdfCallOptions): KdfUpstream {
		const node = nodes.get(id);
		if (node !== undefined) return node;
		const place = { kdf: id, method: kdfDefinition(method).name, requestId: call.requestId };
		throw kdfError('kdf.unknown', place, { delivery: 'not-sent' });
	}

	async function request<M extends KdfMethod>(
		node: KdfUpstream,
		method: M,
		params: KdfParams<M>,
		id: bigint | 'own' | null,
		call: KdfCallOptions
	): Promise<KdfReply> {
		const { requestId } = call;
		const { access } = demands(method, params);
		const { signs } = kdfDefinition(method);
		const stopped = { method: kdfDefinition(method).name, place: node.config.id };
		const refuseStopped = async (): Promise<void> => {
			const off = await options.refusal({ access, signs }, stopped);
			if (off === null) return;
			const facts = { delivery: 'not-sent', control: off.coded } as const;
			throw node.error('kdf.safety-control', { method, requestId }, facts, off);
		};
		const beforeSend = async (): Promise<void> => {
			await refuseStopped();
			await call.beforeSend?.();
		};
		const changes = !changesNothing(access);
		if (changes && !call.authorized) await refuseStopped();
		const definition = kdfDefinition(method);
		// The spelling of parameters depends on the dialect of the node.
		if (method !== 'version') await node.identity.introduced();
		let wire: JsonValue | null;
		try {
			wire = encodeKdfParams(method, params, node.identity.dialect);
		} catch (cause) {
			if (!isRpcError(cause, 'kdf-params.invalid')) throw cause;
			const facts = { delivery: 'not-sent', mismatch: cause.params } as const;
			throw node.error('kdf.invalid-params', { method, requestId }, facts, cause);
		}
		const read = definition.retry && (definition.access !== 'read' || access === 'read');
		const send = (): Promise<KdfReply> =>
			node.request(
				{
					method,
					params: wire,
					id: definition.envelope === 'v2' ? id : null,
					timeoutMs: call.timeoutMs ?? deadlines[definition.deadline],
					// A read that has the node remove a result is not repeated.
					retry: read,
					priority: call.priority ?? 'interactive',
					requestId,
					// A safety control that is turned on while the call waits in the queue stops it, too.
					...(changes ? { beforeSend } : {})
				},
				read ? TRIES : 1
			);
		if (!read) {
			// Reads that are under way may be answered with what was before it: later ones do not join them.
			const sent = send().finally(() => shared.clear());
			return noteActed(access, sent, options.onActed);
		}
		// Concurrent identical reads share one request, but an interactive read does not wait for a
		// background one.
		const key = stringifyJson([node.config.id, method, wire, id, call.priority ?? 'interactive']);
		const running = shared.get(key);
		if (running !== undefined) return running;
		const reply = send().finally(() => {
			if (shared.get(key) === reply) shared.delete(key);
		});
		shared.set(key, reply);
		return reply;
	}

	/**
	 * Waits for an answer, up to the timeout of the caller. Used for reads only: ignoring their answer has no
	 * effect.
	 */
	async function withTimeout<T>(
		answer: Promise<T>,
		node: KdfUpstream,
		place: Parameters<KdfUpstream['error']>[1],
		timeout: number | undefined
	): Promise<T> {
		// While the node is known to be silent, only answers that need no request to it are waited for.
		const waitMs = node.health.silent && timeout !== undefined ? KNOWN_MS : timeout;
		try {
			return await waitFor(answer, waitMs);
		} catch (cause) {
			if (!isAppError(cause, 'answer.pending')) throw cause;
			const error = node.error('kdf.timeout', place, { delivery: 'not-sent' }, cause);
			node.health.noteSilent(waitMs ?? 0, error);
			throw error;
		}
	}

	async function away(
		reading: ReadingOf<'node'>,
		node: KdfUpstream,
		place: Parameters<KdfUpstream['error']>[1]
	): Promise<KdfResultSaid> {
		try {
			return await readers.read(reading);
		} catch (cause) {
			if (!isAppError(cause, 'answer')) throw cause;
			throw node.error('kdf.too-large', place, { delivery: 'delivered' }, cause);
		}
	}

	function pollLater(node: KdfUpstream): void {
		if (pollEvery === null) return;
		const timer = setTimeout(
			() => {
				void node.identity
					.poll()
					.catch(() => undefined)
					.finally(() => {
						if (timers.has(node.config.id)) pollLater(node);
					});
			},
			node.health.unhealthy ? pollEvery.unhealthy : pollEvery.healthy
		);
		timer.unref();
		timers.set(node.config.id, timer);
	}
	for (const node of nodes.values()) {
		if (pollEvery !== null) void node.identity.poll().catch(() => undefined);
		pollLater(node);
	}

	return {
		has: (kdfId) => nodes.has(kdfId),
		hasAny: () => nodes.size > 0,
		nodes: () => Promise.all([...nodes.values()].map((node) => node.info())),
		async node(kdfId) {
			return nodes.get(kdfId)?.info();
		},
		async call<M extends KdfMethod>(
			kdfId: string,
			method: M,
			params: KdfParams<M>,
			call: KdfCallOptions = {}
		): Promise<KdfResult<M>> {
			const node = find(kdfId, method, call);
			const place = { method, requestId: call.requestId };
			const asked = request(node, method, params, 'own', call);
			const { raw, said } = await withTimeout(asked, node, place, call.timeout);
			const { status, body } = raw;
			if (said?.kind === 'error') {
				const { type, message, data, place: where } = said.error;
				const at = where === undefined ? {} : { place: where };
				const refusal = { type, message, data: plain(data), ...at };
				throw node.error('kdf.rpc-error', place, { delivery: 'delivered', status, refusal });
			}
			const { dialect } = node.identity;
			const told =
				said === null
					? await withTimeout(
							away({ kind: 'node', method, dialect, body }, node, place),
							node,
							place,
							call.timeout
						)
					: kdfResultOf(method, dialect, said.result);
			if (told.kind === 'result') {
				const result = told.native as KdfResult<M>;
				noteLeftOut(result, told.leftOut, (where) => {
					const facts = { delivery: 'delivered', status, place: where } as const;
					return node.error('kdf.validation-mismatch', place, facts);
				});
				// It is used, and counted: the build may be newer than the registry.
				if (told.mended) node.mismatches += 1;
				const about = otherSubject(params, result);
				if (about !== null) {
					node.mismatches += 1;
					const facts = { delivery: 'delivered', status, place: null, about } as const;
					throw node.error('kdf.validation-mismatch', place, facts);
				}
				return result;
			}
			node.mismatches += 1;
			if (told.kind === 'excess') {
				throw node.error('kdf.too-large', place, { delivery: 'delivered', status });
			}
			const facts = { delivery: 'delivered', status, place: placeOf(told.fault) } as const;
			throw node.error('kdf.validation-mismatch', place, facts);
		},
		async proxy(kdfId, method, params, id, call = {}) {
			const node = find(kdfId, method, call);
			if (changesNothing(demands(method, params).access)) {
				return (await request(node, method, params, id, call)).raw;
			}
			const takeBack = await watcher.asking(kdfId, { method, params });
			let answered: Awaited<ReturnType<typeof request>>;
			try {
				answered = await request(node, method, params, id, call);
			} catch (error) {
				if (neverLeft(error)) await takeBack();
				throw error;
			}
			const { raw, said } = answered;
			if (said?.kind === 'error') await takeBack();
			if (said?.kind === 'result') {
				const told = kdfResultOf(method, node.identity.dialect, said.result);
				const isWhole = told.kind === 'result' && told.leftOut.length === 0;
				const native = isWhole ? (told.native as KdfResult<KdfMethod>) : null;
				const result = otherSubject(params, native) === null ? native : null;
				await watcher.taken(kdfId, { method, params, result });
			}
			return raw;
		},
		async confirm(kdfId, by, record): Promise<KdfInfo | undefined> {
			const node = nodes.get(kdfId);
			if (node === undefined) return undefined;
			if ((await stops.get(kdfId)) !== null) {
				await record({ actor: by, action: 'node.confirmed', target: kdfId });
				node.forgetPassword();
				await stops.resume(kdfId);
			}
			const proof = node.identity.poll().then(() => node.identity.prove());
			// The returned state is what is known by then.
			await waitFor(proof, CONFIRM_MS).catch((cause: unknown) => {
				if (!isAppError(cause, 'answer.pending')) throw cause;
			});
			return node.info();
		},
		listen(onTask) {
			for (const [id, node] of nodes) {
				if (events.has(id)) continue;
				const stream = new KdfEvents({
					url: node.config.url,
					trust: node.config.trust,
					connectTimeoutMs: limits.connectTimeoutMs,
					// Nodes of the interface document have no events, and a node that refused the password is
					// not contacted.
					mayListen: async () => node.identity.dialect !== 'seed' && (await stops.get(id)) === null,
					onTask: (task) => onTask(id, task),
					onEnd: () => node.forgetPassword(),
					...(options.eventWaits === undefined ? {} : { waits: options.eventWaits })
				});
				events.set(id, stream);
				stream.start();
			}
		},
		watch(hear) {
			watcher = hear;
		},
		listener: (kdfId) => events.get(kdfId)?.listener ?? null,
		holdsPassword: (text) => [...nodes.values()].some((node) => node.isKnownPassword(text)),
		async probe() {
			await Promise.all([...nodes.values()].map((node) => node.identity.poll()));
		},
		async close() {
			for (const timer of timers.values()) clearTimeout(timer);
			timers.clear();
			await Promise.all([...events.values()].map((stream) => stream.close()));
			await Promise.all([...nodes.values()].map((node) => node.close()));
		}
	};
}
