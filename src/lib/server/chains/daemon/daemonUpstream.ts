import { setTimeout as pause } from 'node:timers/promises';
import { readCredentials } from '#lib/server/platform/config/credentials.ts';
import type { DaemonConfig } from '#lib/server/platform/config/types.ts';
import type { CodedError, CodesOf } from '#lib/messages/errors/index.ts';
import { RPC_IN_WARMUP } from '#lib/rpc/errorCodes.ts';
import type { Awaitable } from '../../platform/async/awaitable.ts';
import { isAppError, type AppError } from '../../platform/errors/appError.ts';
import { classify, withoutMark } from '../upstream/answer.ts';
import { idIn } from '../upstream/answers/callId.ts';
import {
	daemonError,
	type DaemonError,
	type DaemonErrorCode,
	type DaemonFacts
} from './daemonError.ts';
import { Health, isHopeful } from './health.ts';
import { Limiter } from '../upstream/limiter.ts';
import type { HttpAnswer } from '../upstream/requestHandler.ts';
import { Transport } from '../upstream/transport.ts';
import type { DaemonState } from './types.ts';
import type { RawAnswer } from '../upstream/rawAnswer.ts';
import { isTooLate } from '../upstream/wait.ts';

export interface UpstreamLimits {
	/** Calls in flight: Komodo daemon 0.9.0 has four worker threads. */
	maxConcurrency: number;
	/** Calls of each priority that may wait for a slot. */
	maxQueued: number;
	maxAnswerBytes: number;
	connectTimeoutMs: number;
	/** Milliseconds during which calls fail here after a refused login or a silent host, before one is sent again. */
	cooldownMs: number;
	/** Milliseconds that the daemon has to tell its identity when it is polled. */
	identifyMs: number;
	/** Milliseconds without an answer after which the daemon counts as away, so that pages no longer wait for it. */
	awayAfterMs: number;
}

export interface UpstreamRequest {
	/** For error messages: the method, or `batch`. */
	method: string;
	body: string;
	/** The id in the body, as JSON text; null for a batch, whose reader matches the answers to the calls. */
	id: string | null;
	/** The answer is cut off when it grows beyond this many bytes. */
	maxBytes: number;
	timeoutMs: number;
	priority: 'interactive' | 'background';
	requestId?: string | undefined;
	/** The call changes nothing, so it may be sent again. */
	retry: boolean;
	/** The call changes something. */
	acts: boolean;
	/** The answer may be large: see `ownConnection` of {@link Transport}. */
	ownConnection: boolean;
	/** Called with the error of each failed attempt, so that a caller who stops waiting can report the cause. */
	onTry?: (error: DaemonError) => void;
	/** Called each time right before the body is sent, after all waits; it is not sent when this rejects. */
	beforeSend?: (() => Promise<void>) | undefined;
}

/** Milliseconds during which calls fail here after a refused connection, once the daemon has been away for a while. */
const REFUSED_MS = 500;
const MAX_TRIES = 4;
const FIRST_PAUSE_MS = 100;

/** One daemon: its connections, queue, login and health. Sends and returns bodies without knowledge of methods. */
export class Upstream {
	readonly config: DaemonConfig;
	readonly health: Health;
	readonly #limits: UpstreamLimits;
	readonly #limiter: Limiter;
	readonly #transport: Transport;
	/** Monotonic clock for deadlines and cooldowns. */
	readonly #now = (): number => performance.now();
	#authorization: string | null = null;
	#loginRead = false;
	/** The read of the credentials in progress, shared by concurrent calls. */
	#reading: Promise<void> | null = null;
	#loginProblem: CodedError<CodesOf<'credentials'>> | null = null;
	/** Until this time calls fail here, because the daemon refuses the login or its host is silent. */
	#cooldownUntil = 0;

	constructor(config: DaemonConfig, limits: UpstreamLimits) {
		this.config = config;
		this.health = new Health(Date.now, limits.awayAfterMs);
		this.#limits = limits;
		this.#limiter = new Limiter({
			maxConcurrency: limits.maxConcurrency,
			maxQueued: limits.maxQueued
		});
		this.#transport = new Transport(config.url, {
			connections: limits.maxConcurrency,
			connectTimeoutMs: limits.connectTimeoutMs
		});
	}

	get inFlight(): number {
		return this.#limiter.running;
	}

	get queued(): number {
		return this.#limiter.queued;
	}

	/** Sends one body and returns the daemon's answer, including errors of the method. @throws {AppError} `daemon` */
	async request(call: UpstreamRequest): Promise<RawAnswer> {
		const deadline = this.#now() + call.timeoutMs;
		// A call to a daemon that is already known to be away or starting is not retried.
		const hopeful = isHopeful(this.health);
		for (let attempt = 1; ; attempt += 1) {
			try {
				return await this.#try(call, deadline);
			} catch (error) {
				if (!isAppError(error, 'daemon')) throw error;
				call.onTry?.(error);
				const wait = FIRST_PAUSE_MS * 2 ** (attempt - 1) * (0.5 + Math.random());
				const again =
					call.retry &&
					attempt < MAX_TRIES &&
					error.params.delivery === 'not-sent' &&
					(error.code === 'daemon.busy' ||
						(hopeful && isAppError(error, 'daemon.unreachable', 'daemon.warming-up'))) &&
					this.#now() + wait < deadline;
				if (!again) throw error;
				await pause(wait);
			}
		}
	}

	async close(): Promise<void> {
		await this.#transport.close();
	}

	async #try(call: UpstreamRequest, deadline: number): Promise<RawAnswer> {
		try {
			const leave = (): Promise<RawAnswer> => this.#authorized(call, deadline);
			const timeLeft = Math.max(1, deadline - this.#now());
			return await this.#limiter.run(call.priority, timeLeft, leave);
		} catch (cause) {
			if (isAppError(cause, 'queue.full')) {
				throw this.#error('daemon.busy', call, { delivery: 'not-sent' }, cause);
			}
			if (isAppError(cause, 'queue.timeout')) {
				throw this.#error('daemon.timeout', call, { delivery: 'not-sent' }, cause);
			}
			throw cause;
		}
	}

	/** Sends one request; after a refused login, a second one if the credentials on disk have changed. */
	async #authorized(call: UpstreamRequest, deadline: number): Promise<RawAnswer> {
		if (!this.#loginRead) await this.#readLogin();
		if (this.#now() < this.#cooldownUntil) await this.#coolDown(call);
		const used = this.#authorization;
		const answer = await this.#post(call, deadline);
		// Another call may have read the new credentials meanwhile.
		if (answer.status !== 401 || !(await this.#isNewerThan(used))) return this.#judge(answer, call);
		// A request with a refused login never reached a method, so any body may be sent again.
		return this.#judge(await this.#post(call, deadline), call);
	}

	/** Fails during the cooldown, unless the credentials have changed. */
	async #coolDown(call: UpstreamRequest): Promise<void> {
		const { state } = this.health;
		if (state === 'unauthorized') {
			if (await this.#isNewerThan(this.#authorization)) return;
			throw this.#error('daemon.unauthorized', call, { delivery: 'not-sent' });
		}
		if (state === 'down') {
			throw this.#error('daemon.unreachable', call, { delivery: 'not-sent' });
		}
	}

	/** Reads the credentials again; returns whether they differ from those that were used. */
	async #isNewerThan(used: string | null): Promise<boolean> {
		await this.#readLogin();
		return this.#authorization !== null && this.#authorization !== used;
	}

	#readLogin(): Promise<void> {
		return (this.#reading ??= this.#readCredentials().finally(() => (this.#reading = null)));
	}

	async #readCredentials(): Promise<void> {
		try {
			const { user, password } = await readCredentials(this.config.credentials);
			this.#authorization = `Basic ${Buffer.from(`${user}:${password}`, 'utf8').toString('base64')}`;
			this.#loginProblem = null;
		} catch (error) {
			if (!isAppError(error, 'credentials')) throw error;
			// The request is still sent: if the daemon is down, that explains a missing cookie file better than the
			// read error.
			this.#authorization = null;
			this.#loginProblem = error.coded;
		}
		this.#loginRead = true;
	}

	#post(call: UpstreamRequest, deadline: number): Promise<HttpAnswer> {
		const { beforeSend } = call;
		return beforeSend === undefined
			? this.#send(call, deadline)
			: beforeSend().then(() => this.#send(call, deadline));
	}

	/** A call whose time ran out before is not sent, nor one that acts and has little time left. */
	#send(call: UpstreamRequest, deadline: number): Promise<HttpAnswer> {
		const timeoutMs = deadline - this.#now();
		if (isTooLate(call, timeoutMs))
			throw this.#error('daemon.timeout', call, { delivery: 'not-sent' });
		const { retry, ownConnection } = call;
		return this.#transport
			.post(call.body, {
				authorization: this.#authorization,
				timeoutMs,
				maxBytes: Math.min(call.maxBytes, this.#limits.maxAnswerBytes),
				retry,
				ownConnection
			})
			.then(withoutMark, (cause: unknown) => {
				throw isAppError(cause, 'transport') ? this.#lost(cause, call) : cause;
			});
	}

	/** Returns the error of a request without a complete answer, and records what it says about the daemon. */
	#lost(cause: AppError<CodesOf<'transport'>>, call: UpstreamRequest): DaemonError {
		const { delivery } = cause.params;
		switch (cause.code) {
			case 'transport.silent':
				this.#cooldownUntil = this.#now() + this.#limits.cooldownMs;
				return this.#entered('down', this.#error('daemon.unreachable', call, { delivery }, cause));
			case 'transport.unreachable':
			case 'transport.untrusted':
				// A daemon that just went away may be restarting, so the cooldown only begins later.
				if (this.health.isAway) this.#cooldownUntil = this.#now() + REFUSED_MS;
				return this.#entered('down', this.#error('daemon.unreachable', call, { delivery }, cause));
			case 'transport.timeout':
				return this.#entered('busy', this.#error('daemon.timeout', call, { delivery }, cause));
			case 'transport.truncated':
				return this.#entered('down', this.#error('daemon.truncated', call, { delivery }, cause));
			case 'transport.too-large':
				return this.#error('daemon.too-large', call, { delivery }, cause);
		}
	}

	/** Records what the answer says about the daemon, and passes on only JSON-RPC answers. */
	#judge(answer: HttpAnswer, call: UpstreamRequest): Awaitable<RawAnswer> {
		const { status } = answer;
		const kind = classify(answer);
		switch (kind.kind) {
			case 'rpc': {
				const id = call.id === null ? null : idIn(answer, call.id);
				return id instanceof Promise
					? this.#named(answer, call, id)
					: this.#answeredBy(answer, call, id);
			}
			case 'warming-up': {
				const facts = {
					delivery: 'not-sent',
					status,
					rpcCode: RPC_IN_WARMUP,
					rpcMessage: kind.text
				} as const;
				throw this.#entered('warming-up', this.#error('daemon.warming-up', call, facts));
			}
			case 'busy': {
				const facts = { delivery: 'not-sent', status } as const;
				throw this.#entered('busy', this.#error('daemon.busy', call, facts));
			}
			case 'unauthorized': {
				const facts = { delivery: 'not-sent', status, login: this.#loginProblem } as const;
				this.#cooldownUntil = this.#now() + this.#limits.cooldownMs;
				throw this.#entered('unauthorized', this.#error('daemon.unauthorized', call, facts));
			}
			case 'truncated': {
				const facts = { delivery: 'delivered', status } as const;
				throw this.#entered('down', this.#error('daemon.truncated', call, facts));
			}
			case 'not-rpc': {
				const facts = { delivery: status >= 500 ? 'unknown' : 'delivered', status } as const;
				throw this.#entered('down', this.#error('daemon.not-rpc', call, facts));
			}
		}
	}

	/** As {@link #answeredBy}, once the search for the id has ended. */
	async #named(
		answer: HttpAnswer,
		call: UpstreamRequest,
		looking: Promise<RawAnswer['id'] | 'other'>
	): Promise<RawAnswer> {
		const { status } = answer;
		let id: RawAnswer['id'] | 'other';
		try {
			id = await looking;
		} catch (cause) {
			if (!isAppError(cause, 'answer')) throw cause;
			throw this.#error('daemon.too-large', call, { delivery: 'delivered', status }, cause);
		}
		return this.#answeredBy(answer, call, id);
	}

	/** Accepts an answer with the id of this call or with none, and refuses one with another id. */
	#answeredBy(answer: HttpAnswer, call: UpstreamRequest, id: RawAnswer['id'] | 'other'): RawAnswer {
		if (id === 'other') {
			const facts = { delivery: 'unknown', status: answer.status } as const;
			throw this.#entered('down', this.#error('daemon.not-rpc', call, facts));
		}
		this.#answered(call.method);
		return { ...answer, id };
	}

	#answered(method: string): void {
		this.health.good();
		// Komodo daemon 0.9.0: while every other method is still refused, `help` answers, and so does a batch,
		// whose items then hold the refusals.
		if ((method === 'help' || method === 'batch') && this.health.state === 'warming-up') return;
		if (this.health.state !== 'wrong-chain') this.health.enter('up', null);
	}

	/** Enters the state and returns its error. */
	#entered(state: DaemonState, error: DaemonError): DaemonError {
		this.health.enter(state, error.coded);
		return error;
	}

	#error<Code extends DaemonErrorCode>(
		code: Code,
		{ method, requestId }: UpstreamRequest,
		facts: DaemonFacts<Code>,
		cause?: unknown
	): AppError<Code> {
		return daemonError(code, { daemon: this.config.id, method, requestId }, facts, cause);
	}
}
