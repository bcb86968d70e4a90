import { encodeParams } from '#lib/rpc/codec.ts';
import { daemonMethods } from '#lib/rpc/daemon/index.ts';
import type { CodesOf } from '#lib/messages/errors/index.ts';
import type { DaemonMethod, DaemonParams, DaemonResult } from '#lib/rpc/daemon/index.ts';
import { stringifyJson } from '#lib/rpc/json.ts';
import { noteWritten } from '#lib/rpc/tolerant.ts';
import { changesNothing, type Stoppable, type StoppableCall } from '#lib/rpc/method.ts';
import type { Config, Purpose } from '#lib/server/platform/config/types.ts';
import { AppError } from '../../platform/errors/appError.ts';
import type { DaemonSaid } from './answers/read.ts';
import { ReaderError, readers } from './answers/readers.ts';
import { Daemon, requestText } from './daemon.ts';
import { finalTransaction, isFinalByHash } from './finalBytes.ts';
import { readIdentity } from './identity.ts';
import type { CallOptions, DaemonInfo, Gateway, RawAnswer } from './types.ts';
import { UpstreamError } from './types.ts';
import type { UpstreamLimits } from './upstream.ts';
import { StoppedWaiting, waitFor } from './wait.ts';

/** Milliseconds by deadline class of a method. */
export interface Deadlines {
	read: number;
	build: number;
	send: number;
	/** Rescans of a wallet: the daemon's own command line waits this long. */
	slow: number;
}

/** What a safety control says against a call. */
type Stopped = AppError<CodesOf<'safety'>>;

export interface GatewayOptions {
	limits?: Partial<UpstreamLimits>;
	deadlines?: Partial<Deadlines>;
	/** Milliseconds between two looks at a daemon that is well, and at one that is not; null: never look. */
	probeEvery?: { well: number; ill: number } | null;
	/** Why a call of such a method must not leave now; null when it may. Reads are not asked about. */
	refusal: (method: Stoppable, call: StoppableCall) => Promise<Stopped | null>;
}

/** The {@link GatewayOptions.refusal} of a program that only reads. */
export const readsOnly = ({ access }: Stoppable): Promise<Stopped | null> =>
	Promise.resolve(changesNothing(access) ? null : new AppError('safety.reads-only'));

const LIMITS: UpstreamLimits = {
	places: 4,
	queue: 256,
	maxAnswerBytes: 64 * 1024 * 1024,
	connectTimeoutMs: 3_000,
	restMs: 5_000
};
const DEADLINES: Deadlines = { read: 30_000, build: 60_000, send: 60_000, slow: 900_000 };
const PROBE_EVERY = { well: 30_000, ill: 3_000 };

/** Builds the gateway and begins to look after the configured daemons. */
export function createGateway(config: Pick<Config, 'daemons'>, options: GatewayOptions): Gateway {
	const limits = { ...LIMITS, ...options.limits };
	const deadlines = { ...DEADLINES, ...options.deadlines };
	const probeEvery = options.probeEvery === undefined ? PROBE_EVERY : options.probeEvery;
	const daemons = new Map(config.daemons.map((entry) => [entry.id, new Daemon(entry, limits)]));
	const timers = new Map<string, NodeJS.Timeout>();

	function find(id: string, method: string, call: CallOptions): Daemon {
		const daemon = daemons.get(id);
		if (daemon !== undefined) return daemon;
		throw new UpstreamError('unknown-daemon', `No daemon called ${id} is configured.`, {
			daemon: id,
			method,
			requestId: call.requestId,
			reached: 'no'
		});
	}

	async function forward(
		daemon: Daemon,
		method: DaemonMethod,
		paramsText: string,
		call: CallOptions
	): Promise<RawAnswer> {
		const definition = daemonMethods[method];
		const read = changesNothing(definition.access);
		if (!read) await permitted(daemon, method, call);
		const answer = await daemon.call(
			{
				method,
				paramsText,
				read,
				retry: definition.retry,
				timeoutMs: deadlines[definition.deadline],
				final: read && isFinalByHash(method, paramsText),
				limit: definition.answer
			},
			call
		);
		if (method === 'getinfo') daemon.learn(readIdentity(answer));
		return answer;
	}

	/** Nothing that changes anything leaves while a switch is thrown against it. @throws {UpstreamError} */
	async function permitted(daemon: Daemon, method: DaemonMethod, call: CallOptions): Promise<void> {
		if (call.authorized) return;
		const refusal = await options.refusal(daemonMethods[method], {
			method,
			place: daemon.config.id
		});
		if (!refusal) return;
		throw new UpstreamError('switched-off', `${daemon.config.id} ${method}: ${refusal.message}`, {
			daemon: daemon.config.id,
			method,
			requestId: call.requestId,
			reached: 'no',
			rpcMessage: refusal.message,
			cause: refusal
		});
	}

	/** What an answer says. Large ones are read in another thread, which somebody may not want to wait for. */
	async function said(
		daemon: Daemon,
		method: DaemonMethod,
		{ status, body }: RawAnswer,
		call: CallOptions
	): Promise<DaemonSaid> {
		try {
			const reading = readers.read({ kind: 'daemon', method, dialect: daemon.dialect, body });
			return await waitFor(reading, call.patience);
		} catch (cause) {
			if (cause instanceof StoppedWaiting) {
				throw daemon.error('timeout', 'The answer is large and still being read.', method, call);
			}
			if (!(cause instanceof ReaderError)) throw cause;
			throw daemon.error('too-large', cause.message, method, call, { status, cause });
		}
	}

	/** The native result of an answer. One that is spelled otherwise than known is counted, and read if that is exact. */
	async function decoded<M extends DaemonMethod>(
		daemon: Daemon,
		method: M,
		answer: RawAnswer,
		call: CallOptions
	): Promise<DaemonResult<M>> {
		const { status } = answer;
		const told = await said(daemon, method, answer, call);
		const mismatch = (why: string): UpstreamError => {
			daemon.upstream.health.mismatches += 1;
			const words = `the answer to ${method} does not fit: ${why}.`;
			return daemon.error('misfit', words, method, call, { status });
		};
		switch (told.kind) {
			case 'error':
				throw daemon.error('rpc', told.message.trim() || 'The daemon refused.', method, call, {
					status,
					rpcCode: told.code,
					rpcMessage: told.message
				});
			case 'soft': {
				const words = told.message.trim() || 'The daemon refused without a reason.';
				throw daemon.error('soft', words, method, call, { status, rpcMessage: told.message });
			}
			case 'misfit':
				throw mismatch(told.why);
			case 'excess': {
				daemon.upstream.health.mismatches += 1;
				const words = `The answer holds too much (${told.what}).`;
				throw daemon.error('too-large', words, method, call, { status });
			}
			case 'result':
		}
		// A daemon gives an error with its refusals, never a result.
		if (status >= 400) throw mismatch(`a result with the HTTP status ${status}`);
		const result = told.native as DaemonResult<M>;
		if (told.written !== null) {
			daemon.upstream.health.mismatches += 1;
			noteWritten(result, told.written);
		}
		const settled = finalTransaction(method, result);
		if (settled !== null) daemon.keepTransaction(settled.txid, settled.hex);
		return result;
	}

	/** The time that is left of a caller's patience after a first wait. */
	function rest(call: CallOptions, began: number): CallOptions {
		if (call.patience === undefined) return call;
		return { ...call, patience: Math.max(1, call.patience - (performance.now() - began)) };
	}

	async function introduced(
		daemon: Daemon,
		method: DaemonMethod,
		call: CallOptions
	): Promise<CallOptions> {
		if (method === 'getinfo') return call;
		const began = performance.now();
		await daemon.introduced(call, method, changesNothing(daemonMethods[method].access));
		return rest(call, began);
	}

	function probeLater(daemon: Daemon): void {
		if (probeEvery === null) return;
		const { id } = daemon.config;
		const timer = setTimeout(
			() => {
				void daemon.identify().finally(() => {
					if (timers.has(id)) probeLater(daemon);
				});
			},
			daemon.wantsProbe ? probeEvery.ill : probeEvery.well
		);
		timer.unref();
		timers.set(id, timer);
	}
	for (const daemon of daemons.values()) {
		if (probeEvery !== null) void daemon.identify();
		probeLater(daemon);
	}

	const infos = (): DaemonInfo[] => [...daemons.values()].map((daemon) => daemon.info);

	return {
		daemons: infos,
		chains: () => [...new Set(config.daemons.map((entry) => entry.chain))],
		daemon: (id) => daemons.get(id)?.info,
		daemonFor(chain: string, purpose: Purpose) {
			const fitting = infos().filter(
				(info) => info.chain === chain && info.purposes.includes(purpose)
			);
			return (
				fitting.find(({ health }) => health.state === 'up' || health.state === 'unknown') ??
				fitting[0]
			);
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
				throw daemon.error('bad-params', 'The parameters do not fit.', method, call, { cause });
			}
			const began = performance.now();
			const answer = await forward(daemon, method, paramsText, left);
			return decoded(daemon, method, answer, rest(left, began));
		},
		async forward(daemonId, method, paramsText, call = {}) {
			const daemon = find(daemonId, method, call);
			return forward(daemon, method, paramsText, await introduced(daemon, method, call));
		},
		async forwardBatch(daemonId, calls, call = {}) {
			const daemon = find(daemonId, 'batch', call);
			const began = performance.now();
			const read = calls.every(({ method }) => changesNothing(daemonMethods[method].access));
			await daemon.introduced(call, 'batch', read);
			for (const { method } of calls) await permitted(daemon, method, call);
			const body = calls.map(({ method, paramsText, idText }) =>
				requestText(method, paramsText, idText)
			);
			const timeoutMs = Math.max(
				...calls.map(({ method }) => deadlines[daemonMethods[method].deadline])
			);
			const maxBytes = calls.reduce(
				(sum, { method }) => sum + daemonMethods[method].answer.bytes,
				0
			);
			return daemon.batch(`[${body.join(',')}]`, { timeoutMs, maxBytes }, rest(call, began));
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
