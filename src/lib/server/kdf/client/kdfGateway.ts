import type { CodesOf } from '#lib/messages/errors/index.ts';
import { stringifyJson, type JsonValue } from '#lib/rpc/json.ts';
import {
	changesNothing,
	type Deadline,
	type Stoppable,
	type StoppableCall
} from '#lib/rpc/method.ts';
import { encodeKdfParams, KdfParamMismatch } from '#lib/rpc/kdf/codec.ts';
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
} from '../../chains/daemon/answers/read.ts';
import { ReaderError, readers } from '../../chains/daemon/answers/readers.ts';
import { StoppedWaiting, waitFor } from '../../chains/daemon/wait.ts';
import type { AuditEntry } from '../../platform/audit-trail/entry.ts';
import type { AppError } from '../../platform/errors/appError.ts';
import { KdfEvents } from './kdfEvents.ts';
import type { KdfStops } from './kdfStops.ts';
import {
	KdfError,
	type KdfCallOptions,
	type KdfGateway,
	type KdfInfo,
	type KdfReply
} from './kdfTypes.ts';
import { KdfUpstream, type KdfLimits } from './kdfUpstream.ts';

export interface KdfGatewayOptions {
	/** Keeps refused passwords, for good. */
	stops: KdfStops;
	audit: { append(entry: AuditEntry): Promise<void> };
	limits?: Partial<KdfLimits>;
	deadlines?: Partial<Record<Deadline, number>>;
	/** Milliseconds between two looks at a node that is well, and at one that is not; null: never look. */
	probeEvery?: { well: number; ill: number } | null;
	/** Why a call of such a method must not leave now, as a sentence; null when it may. */
	refusal: (method: Stoppable, call: StoppableCall) => Promise<AppError<CodesOf<'safety'>> | null>;
	/** Milliseconds before a lost stream of events is tried again. */
	eventWaits?: { first: number; last: number };
	now?: () => number;
}

const LIMITS: KdfLimits = {
	places: 4,
	queue: 256,
	maxAnswerBytes: 64 * 1024 * 1024,
	connectTimeoutMs: 3_000,
	restMs: 5_000
};
/** Activation in one call waits for servers on the internet. */
const DEADLINES: Record<Deadline, number> = {
	read: 30_000,
	build: 60_000,
	send: 60_000,
	slow: 300_000
};
const PROBE_EVERY = { well: 30_000, ill: 5_000 };
/** What is known without asking the node is there by then. */
const KNOWN_MS = 50;
/** How long an admin waits for the proof that a password is taken. */
const CONFIRM_MS = 5_000;

/** Builds the gateway to the configured trading nodes and begins to look after them. */
export function createKdfGateway(
	config: Pick<Config, 'nodes'>,
	options: KdfGatewayOptions
): KdfGateway {
	const { audit, now = Date.now } = options;
	/** The first refusal is on record. */
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
	const probeEvery = options.probeEvery === undefined ? PROBE_EVERY : options.probeEvery;
	const nodes = new Map(
		config.nodes.map((entry) => [entry.id, new KdfUpstream(entry, limits, stops, now)])
	);
	const events = new Map<string, KdfEvents>();
	const timers = new Map<string, NodeJS.Timeout>();
	const shared = new Map<string, Promise<KdfReply>>();

	function find(id: string, method: KdfMethod, call: KdfCallOptions): KdfUpstream {
		const node = nodes.get(id);
		if (node !== undefined) return node;
		throw new KdfError('unknown-node', 'No trading node of this name is configured.', {
			node: id,
			method: kdfDefinition(method).name,
			requestId: call.requestId,
			reached: 'no'
		});
	}

	async function exchange<M extends KdfMethod>(
		node: KdfUpstream,
		method: M,
		params: KdfParams<M>,
		id: number | 'own' | null,
		call: KdfCallOptions
	): Promise<KdfReply> {
		const { requestId } = call;
		const { access } = demands(method, params);
		const { signs } = kdfDefinition(method);
		const stopped = { method: kdfDefinition(method).name, place: node.config.id };
		const asked = changesNothing(access) || call.authorized;
		const off = asked ? null : await options.refusal({ access, signs }, stopped);
		if (off !== null) {
			const facts = { reached: 'no', why: off.message, cause: off } as const;
			throw node.error('switched-off', off.message, { method, requestId }, facts);
		}
		const definition = kdfDefinition(method);
		// How parameters are spelled depends on who answers.
		if (method !== 'version') await node.identity.introduced();
		let wire: JsonValue | null;
		try {
			wire = encodeKdfParams(method, params, node.identity.dialect);
		} catch (cause) {
			if (!(cause instanceof KdfParamMismatch)) throw cause;
			throw node.error(
				'bad-params',
				cause.message,
				{ method, requestId },
				{
					reached: 'no',
					why: cause.message,
					cause
				}
			);
		}
		const read = definition.retry && (definition.access !== 'read' || access === 'read');
		const send = (): Promise<KdfReply> =>
			node.exchange(
				{
					method,
					params: wire,
					id: definition.envelope === 'v2' ? id : null,
					timeoutMs: call.timeoutMs ?? deadlines[definition.deadline],
					priority: call.priority ?? 'interactive',
					requestId
				},
				// A look that makes the node forget is not repeated.
				read
			);
		if (!read) return send();
		// Identical looks that are under way share one exchange.
		const key = stringifyJson([node.config.id, method, wire, id]);
		const running = shared.get(key);
		if (running !== undefined) return running;
		const reply = send().finally(() => shared.delete(key));
		shared.set(key, reply);
		return reply;
	}

	/**
	 * Waits as long as the caller wants to. Only reads are called so: nothing follows from an answer that is not
	 * waited for.
	 */
	async function patiently<T>(
		answer: Promise<T>,
		node: KdfUpstream,
		place: Parameters<KdfUpstream['error']>[2],
		patience: number | undefined
	): Promise<T> {
		// While it is known to keep callers waiting, only what is known already is waited for.
		const waitMs = node.health.silent && patience !== undefined ? KNOWN_MS : patience;
		try {
			return await waitFor(answer, waitMs);
		} catch (cause) {
			if (!(cause instanceof StoppedWaiting)) throw cause;
			node.health.noteSilent(waitMs ?? 0);
			throw node.error('timeout', 'No answer yet.', place, { reached: 'no' });
		}
	}

	async function away(
		reading: ReadingOf<'node'>,
		node: KdfUpstream,
		place: Parameters<KdfUpstream['error']>[2]
	): Promise<KdfResultSaid> {
		try {
			return await readers.read(reading);
		} catch (cause) {
			if (!(cause instanceof ReaderError)) throw cause;
			throw node.error('too-large', cause.message, place, { reached: 'yes', cause });
		}
	}

	function probeLater(node: KdfUpstream): void {
		if (probeEvery === null) return;
		const timer = setTimeout(
			() => {
				void node.identity
					.look()
					.catch(() => undefined)
					.finally(() => {
						if (timers.has(node.config.id)) probeLater(node);
					});
			},
			node.health.unwell ? probeEvery.ill : probeEvery.well
		);
		timer.unref();
		timers.set(node.config.id, timer);
	}
	for (const node of nodes.values()) {
		if (probeEvery !== null) void node.identity.look().catch(() => undefined);
		probeLater(node);
	}

	return {
		has: (kdfId) => nodes.has(kdfId),
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
			const asked = exchange(node, method, params, 'own', call);
			const { raw, said } = await patiently(asked, node, place, call.patience);
			const { status, body } = raw;
			if (said?.kind === 'error') {
				const words = said.error.message.trim() || 'The node refused.';
				throw node.error('refused', words, place, { reached: 'yes', status, refusal: said.error });
			}
			const { dialect } = node.identity;
			const told =
				said === null
					? await patiently(
							away({ kind: 'node', method, dialect, body }, node, place),
							node,
							place,
							call.patience
						)
					: kdfResultOf(method, dialect, said.result);
			if (told.kind === 'result') {
				// It is used, and counted: the build may be newer than the registry.
				if (told.mended) node.mismatches += 1;
				return told.native as KdfResult<M>;
			}
			node.mismatches += 1;
			if (told.kind === 'excess') {
				const words = `The answer holds too much (${told.what}).`;
				throw node.error('too-large', words, place, { reached: 'yes', status });
			}
			const words = `The answer does not fit the registry (${told.why}).`;
			throw node.error('misfit', words, place, { reached: 'yes', status });
		},
		async forward(kdfId, method, params, id, call = {}) {
			const { raw } = await exchange(find(kdfId, method, call), method, params, id, call);
			return raw;
		},
		async confirm(kdfId, by): Promise<KdfInfo | undefined> {
			const node = nodes.get(kdfId);
			if (node === undefined) return undefined;
			if ((await stops.get(kdfId)) !== null) {
				await audit.append({ actor: by, action: 'node.confirmed', target: kdfId });
				node.forgetPassword();
				await stops.lift(kdfId);
			}
			const proof = node.identity.look().then(() => node.identity.prove());
			// The state says what is known by then.
			await waitFor(proof, CONFIRM_MS).catch((cause: unknown) => {
				if (!(cause instanceof StoppedWaiting)) throw cause;
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
					// The interface document has no events, and a node that refused us is left alone.
					mayListen: async () => node.identity.dialect !== 'seed' && (await stops.get(id)) === null,
					onTask: (task) => onTask(id, task),
					...(options.eventWaits === undefined ? {} : { waits: options.eventWaits })
				});
				events.set(id, stream);
				stream.start();
			}
		},
		listener: (kdfId) => events.get(kdfId)?.listener ?? null,
		holdsPassword: (text) => [...nodes.values()].some((node) => node.isKnownPassword(text)),
		async probe() {
			await Promise.all([...nodes.values()].map((node) => node.identity.look()));
		},
		async close() {
			for (const timer of timers.values()) clearTimeout(timer);
			timers.clear();
			await Promise.all([...events.values()].map((stream) => stream.close()));
			await Promise.all([...nodes.values()].map((node) => node.close()));
		}
	};
}
