import { encodeParams } from '#lib/rpc/codec.ts';
import { answers } from '#lib/rpc/answerLimit.ts';
import { mayBeFurther, type FurtherAccess } from '#lib/rpc/daemon/furtherMethods.ts';
import { daemonMethods } from '#lib/rpc/daemon/index.ts';
import type { AnswerFault } from '#lib/messages/errors/daemon.ts';
import type { CodesOf } from '#lib/messages/errors/index.ts';
import type { DaemonMethod, DaemonParams, DaemonResult } from '#lib/rpc/daemon/index.ts';
import { stringifyJson } from '#lib/rpc/json.ts';
import { noteLeftOut, noteWritten } from '#lib/rpc/tolerant.ts';
import { changesNothing, type Stoppable, type StoppableCall } from '#lib/rpc/method.ts';
import type { Config, Purpose } from '#lib/server/platform/config/types.ts';
import type { Awaitable } from '../../platform/async/awaitable.ts';
import { AppError, isAppError } from '../../platform/errors/appError.ts';
import type { DaemonSaid } from '../upstream/answers/read.ts';
import { readers } from '../upstream/answers/readers.ts';
import { Daemon, requestText } from './daemon.ts';
import { daemonError, type DaemonError } from './daemonError.ts';
import { finalTransaction, isFinalByHash } from './finalBytes.ts';
import { isHopeful } from './health.ts';
import { noteActed } from '../upstream/noteActed.ts';
import type { CallOptions, Gateway } from './types.ts';
import type { RawAnswer } from '../upstream/rawAnswer.ts';
import type { UpstreamLimits } from './daemonUpstream.ts';
import { waitFor } from '../upstream/wait.ts';

/** Milliseconds for each deadline class of methods. */
export interface Deadlines {
	read: number;
	build: number;
	send: number;
	/** Rescans of a wallet. `komodo-cli` waits as long. */
	slow: number;
}

/** The safety control that stops a call, as an error. */
type Stopped = AppError<CodesOf<'safety'>>;

/** Milliseconds between two polls of one daemon. */
interface PollTimes {
	/** While the daemon is healthy. */
	healthy: number;
	/** After the first failed poll; the pause grows with each further one. */
	unhealthy: number;
	/** Upper limit of the pause. A call of a page or of the index notices earlier that the daemon is back. */
	away: number;
}

export interface GatewayOptions {
	limits?: Partial<UpstreamLimits>;
	deadlines?: Partial<Deadlines>;
	/** How often daemons are polled for their identity; null: never. */
	pollEvery?: PollTimes | null;
	/** Returns why a call of such a method must not be sent now; null when it may. Not called for reads. */
	refusal: (method: Stoppable, call: StoppableCall) => Promise<Stopped | null>;
	/** Called when a call that changes something outside may have taken effect. */
	onActed?: () => void;
}

/** The {@link GatewayOptions.refusal} of a read-only program. */
export const readsOnly = ({ access }: Stoppable): Promise<Stopped | null> =>
	Promise.resolve(changesNothing(access) ? null : new AppError('safety.reads-only'));

const LIMITS: UpstreamLimits = {
	maxConcurrency: 4,
	maxQueued: 256,
	maxAnswerBytes: 64 * 1024 * 1024,
	connectTimeoutMs: 3_000,
	cooldownMs: 5_000,
	identifyMs: 5_000,
	awayAfterMs: 5_000
};
const DEADLINES: Deadlines = { read: 30_000, build: 60_000, send: 60_000, slow: 900_000 };
const NO_METHODS: ReadonlyMap<string, FurtherAccess> = new Map();
const POLL_EVERY: PollTimes = { healthy: 30_000, unhealthy: 3_000, away: 60_000 };
/** Factor by which the pause grows after each failed poll. */
const POLL_GROWTH = 1.5;

/** Creates the gateway and starts to poll the configured daemons. */
export function createGateway(config: Pick<Config, 'daemons'>, options: GatewayOptions): Gateway {
	const limits = { ...LIMITS, ...options.limits };
	const deadlines = { ...DEADLINES, ...options.deadlines };
	const pollEvery = options.pollEvery === undefined ? POLL_EVERY : options.pollEvery;
	const daemons = new Map(config.daemons.map((entry) => [entry.id, new Daemon(entry, limits)]));
	/** Daemons by chain: a page of many chains looks them up several times. */
	const ofChain = Map.groupBy(daemons.values(), (daemon) => daemon.config.chain);
	const chains = [...ofChain.keys()];
	const timers = new Map<string, NodeJS.Timeout>();

	function find(id: string, method: string, call: CallOptions): Daemon {
		const daemon = daemons.get(id);
		if (daemon !== undefined) return daemon;
		const { requestId } = call;
		throw daemonError(
			'daemon.unknown',
			{ daemon: id, method, requestId },
			{ delivery: 'not-sent' }
		);
	}

	function proxy(
		daemon: Daemon,
		method: DaemonMethod,
		paramsText: string,
		call: CallOptions
	): Promise<RawAnswer> {
		const definition = daemonMethods[method];
		const read = changesNothing(definition.access);
		const beforeSend = async (): Promise<void> => {
			await refuseStopped(daemon, method, call);
			await call.beforeSend?.();
		};
		const ask = (): Promise<RawAnswer> =>
			daemon.call(
				{
					method,
					paramsText,
					read,
					retry: definition.retry,
					timeoutMs: deadlines[definition.deadline],
					final: read && isFinalByHash(method, paramsText),
					limit: definition.answer,
					...(read ? {} : { beforeSend })
				},
				call
			);
		if (!read)
			return permitted(daemon, method, call).then(() =>
				noteActed(definition.access, ask(), options.onActed)
			);
		if (method !== 'getinfo' || call.anyChain) return ask();
		return ask().then((answer) => {
			daemon.requireChain(call, method);
			return answer;
		});
	}

	/**
	 * Refuses a call that changes something while a safety control stops it. Also checked after queueing, because a
	 * control may have been turned on meanwhile.
	 * @throws {AppError} `daemon.safety-control`
	 */
	async function refuseStopped(
		daemon: Daemon,
		method: DaemonMethod,
		call: CallOptions
	): Promise<void> {
		const refusal = await options.refusal(daemonMethods[method], {
			method,
			place: daemon.config.id
		});
		if (!refusal) return;
		const facts = { delivery: 'not-sent', control: refusal.coded } as const;
		throw daemon.error('daemon.safety-control', method, call, facts, refusal);
	}

	/**
	 * Checks a changing call before it is queued: the safety controls, unless the caller checked them already, and
	 * that the method does not need a wallet that the daemon lacks, which would crash it.
	 */
	async function permitted(daemon: Daemon, method: DaemonMethod, call: CallOptions): Promise<void> {
		if (daemonMethods[method].assumesWallet && !daemon.hasWallet) {
			throw daemon.error('daemon.no-wallet', method, call, { delivery: 'not-sent' });
		}
		if (!call.authorized) await refuseStopped(daemon, method, call);
	}

	/** Reads an answer. Large ones are read in another thread, which the caller may not want to wait for. */
	async function said(
		daemon: Daemon,
		method: DaemonMethod,
		{ status, body }: RawAnswer,
		call: CallOptions
	): Promise<DaemonSaid> {
		try {
			const reading = readers.read({ kind: 'daemon', method, dialect: daemon.dialect, body });
			return await waitFor(reading, call.timeout);
		} catch (cause) {
			if (!isAppError(cause, 'answer')) throw cause;
			// The caller stopped waiting while a large answer was still being read.
			const code = cause.code === 'answer.pending' ? 'daemon.timeout' : 'daemon.too-large';
			throw daemon.error(code, method, call, { delivery: 'delivered', status }, cause);
		}
	}

	/** Decodes the native result of an answer. A deviation from the registry is counted, and tolerated if lossless. */
	async function decoded<M extends DaemonMethod>(
		daemon: Daemon,
		method: M,
		answer: RawAnswer,
		call: CallOptions
	): Promise<DaemonResult<M>> {
		const { status } = answer;
		const told = await said(daemon, method, answer, call);
		const answered = { delivery: 'delivered', status } as const;
		const unfit = (fault: AnswerFault): DaemonError =>
			daemon.error('daemon.validation-mismatch', method, call, { ...answered, fault });
		const mismatch = (fault: AnswerFault): DaemonError => {
			daemon.upstream.health.mismatches += 1;
			return unfit(fault);
		};
		switch (told.kind) {
			case 'error':
				throw daemon.error('daemon.rpc-error', method, call, {
					...answered,
					rpcCode: told.code,
					rpcMessage: told.message
				});
			case 'in-band':
				throw daemon.error('daemon.in-band-error', method, call, {
					...answered,
					rpcMessage: told.message
				});
			case 'mismatch':
				throw mismatch(told.fault);
			case 'excess':
				daemon.upstream.health.mismatches += 1;
				throw daemon.error('daemon.too-large', method, call, answered);
			case 'result':
		}
		// A daemon never sends a result with an error status.
		if (status >= 400) throw mismatch({ kind: 'status' });
		const result = told.native as DaemonResult<M>;
		if (told.written !== null) {
			daemon.upstream.health.mismatches += 1;
			noteWritten(result, told.written);
			noteLeftOut(result, told.leftOut, (place) => unfit({ kind: 'result', place }));
		}
		const settled = finalTransaction(method, result);
		if (settled !== null) daemon.keepTransaction(settled.txid, settled.hex);
		return result;
	}

	/** Returns the options with the part of the caller's timeout that remains after a first wait. */
	function remaining(call: CallOptions, began: number): CallOptions {
		if (call.timeout === undefined) return call;
		return { ...call, timeout: Math.max(1, call.timeout - (performance.now() - began)) };
	}

	/** Waits until the daemon is identified; returns the options with the remaining timeout. */
	function introduced(
		daemon: Daemon,
		method: DaemonMethod,
		call: CallOptions
	): Awaitable<CallOptions> {
		if (method === 'getinfo') return call;
		const began = performance.now();
		const known = daemon.introduced(call, method, changesNothing(daemonMethods[method].access));
		return known instanceof Promise ? known.then(() => remaining(call, began)) : call;
	}

	/** @param inVain consecutive polls that found the daemon unhealthy */
	function pollLater(daemon: Daemon, inVain = 0): void {
		if (pollEvery === null) return;
		const { id } = daemon.config;
		const { healthy, unhealthy, away } = pollEvery;
		const pause = Math.min(away, unhealthy * POLL_GROWTH ** inVain);
		const timer = setTimeout(
			() => {
				void daemon.identify().finally(() => {
					if (timers.has(id)) pollLater(daemon, daemon.wantsPoll ? inVain + 1 : 0);
				});
			},
			daemon.wantsPoll ? pause : healthy
		);
		timer.unref();
		timers.set(id, timer);
	}
	for (const daemon of daemons.values()) {
		if (pollEvery !== null) void daemon.identify();
		pollLater(daemon);
	}

	return {
		daemons: () => [...daemons.values()].map((daemon) => daemon.info),
		chains: () => [...chains],
		daemon: (id) => daemons.get(id)?.info,
		daemonFor(chain: string, purpose: Purpose) {
			const fitting = (ofChain.get(chain) ?? []).filter(({ config: { purposes } }) =>
				purposes.includes(purpose)
			);
			const hopeful = fitting.filter(({ upstream }) => isHopeful(upstream.health));
			// Any up-to-date daemon can read for the chain, but one wallet cannot replace another.
			const ahead = purpose === 'read' ? hopeful.find(({ isBehind }) => !isBehind) : undefined;
			return (ahead ?? hopeful[0] ?? fitting[0])?.info;
		},
		async call<M extends DaemonMethod>(
			daemonId: string,
			method: M,
			params: DaemonParams<M>,
			call: CallOptions = {}
		): Promise<DaemonResult<M>> {
			const daemon = find(daemonId, method, call);
			const left = await introduced(daemon, method, call);
			let paramsText: string;
			try {
				paramsText = stringifyJson(encodeParams(method, params, daemon.dialect));
			} catch (cause) {
				throw daemon.error('daemon.invalid-params', method, call, { delivery: 'not-sent' }, cause);
			}
			const began = performance.now();
			const answer = await proxy(daemon, method, paramsText, left);
			return decoded(daemon, method, answer, remaining(left, began));
		},
		async proxy(daemonId, method, paramsText, call = {}) {
			const daemon = find(daemonId, method, call);
			const left = introduced(daemon, method, call);
			return proxy(daemon, method, paramsText, left instanceof Promise ? await left : left);
		},
		furtherMethods: (id) => daemons.get(id)?.config.furtherMethods ?? NO_METHODS,
		async proxyFurther(daemonId, method, paramsText, call = {}) {
			const daemon = find(daemonId, method, call);
			const isAllowed = daemon.config.furtherMethods?.has(method) === true;
			if (!isAllowed || !mayBeFurther(method)) {
				throw daemon.error('daemon.invalid-params', method, call, { delivery: 'not-sent' });
			}
			const began = performance.now();
			await daemon.introduced(call, method, false);
			return daemon.call(
				{
					method,
					paramsText,
					// Whether it may be shared or repeated is not known.
					read: false,
					retry: false,
					final: false,
					timeoutMs: deadlines.read,
					limit: answers.small
				},
				remaining(call, began)
			);
		},
		mayLeave: async (daemonId, method) => refuseStopped(find(daemonId, method, {}), method, {}),
		async proxyBatch(daemonId, calls, call = {}) {
			const daemon = find(daemonId, 'batch', call);
			const began = performance.now();
			const methods = new Set(calls.map(({ method }) => method));
			const changing = [...methods].filter((one) => !changesNothing(daemonMethods[one].access));
			await daemon.introduced(call, 'batch', changing.length === 0);
			for (const method of changing) await permitted(daemon, method, call);
			const body = calls.map(({ method, paramsText, idText }) =>
				requestText(method, paramsText, idText)
			);
			const timeoutMs = Math.max(
				...calls.map(({ method }) => deadlines[daemonMethods[method].deadline])
			);
			const allowed = calls.reduce(
				(sum, { method }) => sum + daemonMethods[method].answer.bytes,
				0
			);
			const maxBytes = Math.min(allowed, call.maxBytes ?? allowed);
			const beforeSend = async (): Promise<void> => {
				for (const method of changing) await refuseStopped(daemon, method, call);
				await call.beforeSend?.();
			};
			const limits = { timeoutMs, maxBytes, acts: changing.length > 0, beforeSend };
			return daemon.batch(`[${body.join(',')}]`, limits, remaining(call, began));
		},
		health(daemonId) {
			return find(daemonId, 'health', {}).info.health;
		},
		async probe() {
			await Promise.all([...daemons.values()].map((daemon) => daemon.identify()));
		},
		async close() {
			for (const timer of timers.values()) clearTimeout(timer);
			timers.clear();
			await Promise.all([...daemons.values()].map((daemon) => daemon.upstream.close()));
		}
	};
}
