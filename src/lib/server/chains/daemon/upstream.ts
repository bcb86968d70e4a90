import { readCredentials } from '#lib/server/platform/config/credentials.ts';
import type { DaemonConfig } from '#lib/server/platform/config/types.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import { classify, withoutMark } from './answer.ts';
import { idIn } from './answers/callId.ts';
import { ReaderError } from './answers/readers.ts';
import { Health } from './health.ts';
import { Limiter } from './limiter.ts';
import { Transport, TransportError, type HttpAnswer } from './transport.ts';
import { UpstreamError } from './types.ts';
import type { RawAnswer, Reached, UpstreamErrorCode } from './types.ts';

export interface UpstreamLimits {
	/** Calls on the wire at once: Komodo daemon 0.9.0 has four worker threads. */
	places: number;
	/** Calls of each priority that may wait for a place. */
	queue: number;
	maxAnswerBytes: number;
	connectTimeoutMs: number;
	/** How long calls are refused here after a refused login or a silent host, before one is let through. */
	restMs: number;
}

export interface Exchange {
	/** For errors: the method, or `batch`. */
	method: string;
	body: string;
	/** The id in the body, as JSON text; null for a batch, whose answers are told apart by who reads them. */
	id: string | null;
	/** The answer is cut off when it grows beyond this many bytes. */
	maxBytes: number;
	timeoutMs: number;
	priority: 'interactive' | 'background';
	requestId?: string | undefined;
	/** May be sent again when the daemon certainly did not act on it. */
	retry: boolean;
	/** The answer may be large: see {@link Transport}. */
	ownConnection: boolean;
	/** Told of each failed try, so that a caller who stops waiting can say why there is no answer yet. */
	onTry?: (error: UpstreamError) => void;
}

const MAX_TRIES = 4;
const FIRST_PAUSE_MS = 100;

const pause = (ms: number): Promise<void> =>
	new Promise((resolve) => {
		setTimeout(resolve, ms);
	});

/**
 * One daemon: its connections, its queue, its login and what is known of its health. It exchanges bodies
 * and knows nothing of methods.
 */
export class Upstream {
	readonly config: DaemonConfig;
	readonly health: Health;
	readonly #limits: UpstreamLimits;
	readonly #limiter: Limiter;
	readonly #transport: Transport;
	/** Deadlines and rests are of a clock that nobody sets. */
	readonly #now = (): number => performance.now();
	#authorization: string | null = null;
	#loginRead = false;
	/** The reading that is under way: calls of the same moment share it. */
	#reading: Promise<void> | null = null;
	#loginProblem: string | null = null;
	/** While the daemon refuses the login or its host is silent, calls fail here until this time. */
	#restUntil = 0;

	constructor(config: DaemonConfig, limits: UpstreamLimits) {
		this.config = config;
		this.health = new Health(Date.now);
		this.#limits = limits;
		this.#limiter = new Limiter({ places: limits.places, queue: limits.queue });
		this.#transport = new Transport(config.url, {
			connections: limits.places,
			connectTimeoutMs: limits.connectTimeoutMs
		});
	}

	get inFlight(): number {
		return this.#limiter.running;
	}

	get queued(): number {
		return this.#limiter.queued;
	}

	/**
	 * Sends one body and gives back the daemon's answer, errors of the method included.
	 * @throws {UpstreamError} unreachable, timeout, warming-up, busy, unauthorized, truncated, too-large, not-rpc
	 */
	async exchange(call: Exchange): Promise<RawAnswer> {
		const deadline = this.#now() + call.timeoutMs;
		// A daemon that is known to be away or starting is not asked again and again for one call.
		const patient = this.health.state === 'up' || this.health.state === 'unknown';
		for (let attempt = 1; ; attempt += 1) {
			try {
				return await this.#try(call, deadline - this.#now());
			} catch (error) {
				if (!(error instanceof UpstreamError)) throw error;
				call.onTry?.(error);
				const wait = FIRST_PAUSE_MS * 2 ** (attempt - 1) * (0.5 + Math.random());
				const again =
					call.retry &&
					attempt < MAX_TRIES &&
					error.reached === 'no' &&
					(error.code === 'busy' ||
						(patient && (error.code === 'unreachable' || error.code === 'warming-up'))) &&
					this.#now() + wait < deadline;
				if (!again) throw error;
				await pause(wait);
			}
		}
	}

	async close(): Promise<void> {
		await this.#transport.close();
	}

	async #try(call: Exchange, timeLeft: number): Promise<RawAnswer> {
		try {
			return await this.#limiter.run(call.priority, Math.max(1, timeLeft), () =>
				this.#authorized(call, this.#now() + timeLeft)
			);
		} catch (cause) {
			if (isAppError(cause, 'queue.full')) {
				throw this.#error('busy', cause.message, call, 'no', { cause });
			}
			if (isAppError(cause, 'queue.timeout')) {
				throw this.#error('timeout', cause.message, call, 'no', { cause });
			}
			throw cause;
		}
	}

	/** One exchange; after a refused login a second one when the login on disk has changed. */
	async #authorized(call: Exchange, deadline: number): Promise<RawAnswer> {
		if (!this.#loginRead) await this.#readLogin();
		await this.#rest(call);
		const used = this.#authorization;
		const answer = await this.#post(call, deadline - this.#now());
		// Another call may have read the new login meanwhile.
		if (answer.status !== 401 || !(await this.#isNewerThan(used))) return this.#judge(answer, call);
		// A refused login never reached a method, so the same body may go out again, whatever it is.
		return this.#judge(await this.#post(call, deadline - this.#now()), call);
	}

	/** Fails at once while calls would only be refused again or wait for a silent host. */
	async #rest(call: Exchange): Promise<void> {
		const { state } = this.health;
		if (this.#now() >= this.#restUntil) return;
		if (state === 'unauthorized') {
			if (await this.#isNewerThan(this.#authorization)) return;
			throw this.#error('unauthorized', 'The daemon refuses the configured login.', call, 'no');
		}
		if (state === 'down') {
			throw this.#error('unreachable', 'The daemon did not answer a moment ago.', call, 'no');
		}
	}

	/** Reads the login anew; true when it is another one than that which was used. */
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
			// The call still goes out: a daemon that is down explains a missing cookie better than we can.
			this.#authorization = null;
			this.#loginProblem = error.message;
		}
		this.#loginRead = true;
	}

	async #post(call: Exchange, timeoutMs: number): Promise<HttpAnswer> {
		try {
			const answer = await this.#transport.post(call.body, {
				authorization: this.#authorization,
				timeoutMs: Math.max(1, timeoutMs),
				maxBytes: Math.min(call.maxBytes, this.#limits.maxAnswerBytes),
				ownConnection: call.ownConnection
			});
			return withoutMark(answer);
		} catch (cause) {
			if (!(cause instanceof TransportError)) throw cause;
			if (cause.kind === 'unreachable' || cause.silent) {
				this.health.enter('down', 'Nothing answers at this address.');
				if (cause.silent) this.#restUntil = this.#now() + this.#limits.restMs;
				throw this.#error('unreachable', cause.message, call, cause.reached, { cause });
			}
			if (cause.kind === 'timeout') this.health.enter('busy', cause.message);
			if (cause.kind === 'truncated') this.health.enter('down', cause.message);
			throw this.#error(cause.kind, cause.message, call, cause.reached, { cause });
		}
	}

	/** Notes what the answer says about the daemon and lets only JSON-RPC answers through. */
	async #judge(answer: HttpAnswer, call: Exchange): Promise<RawAnswer> {
		const { status } = answer;
		const kind = classify(answer);
		switch (kind.kind) {
			case 'rpc': {
				const id = await this.#idOf(answer, call);
				this.#answered(call.method);
				return { ...answer, id };
			}
			case 'warming-up':
				this.health.enter('warming-up', kind.text);
				throw this.#error('warming-up', `The daemon is starting: ${kind.text}`, call, 'no', {
					status,
					rpcCode: -28,
					rpcMessage: kind.text
				});
			case 'busy':
				this.health.enter('busy', 'The work queue of the daemon is full.');
				throw this.#error('busy', 'The work queue of the daemon is full.', call, 'no', { status });
			case 'unauthorized': {
				const words =
					status === 403
						? 'The daemon does not accept calls from this address.'
						: (this.#loginProblem ?? 'The daemon refuses the configured login.');
				this.health.enter('unauthorized', words);
				this.#restUntil = this.#now() + this.#limits.restMs;
				throw this.#error('unauthorized', words, call, 'no', { status });
			}
			case 'truncated':
				this.health.enter('down', 'The answers break off.');
				throw this.#error('truncated', 'The answer is not whole.', call, 'yes', { status });
			case 'not-rpc': {
				const words = `What answers is not JSON-RPC (HTTP status ${status}).`;
				this.health.enter('down', words);
				throw this.#error('not-rpc', words, call, status >= 500 ? 'maybe' : 'yes', { status });
			}
		}
	}

	/** Where the answer names this call. An answer to another one is not believed. */
	async #idOf(answer: HttpAnswer, call: Exchange): Promise<RawAnswer['id']> {
		if (call.id === null) return null;
		const { status } = answer;
		try {
			const id = await idIn(answer, call.id);
			if (id !== 'other') return id;
		} catch (cause) {
			if (!(cause instanceof ReaderError)) throw cause;
			throw this.#error('too-large', cause.message, call, 'yes', { status, cause });
		}
		const words = 'What answers names another call than the one that was made.';
		this.health.enter('down', words);
		throw this.#error('not-rpc', words, call, 'maybe', { status });
	}

	#answered(method: string): void {
		this.health.good();
		// Komodo daemon 0.9.0: while every other method is still refused, `help` answers, and so does a batch,
		// whose items then hold the refusals.
		if ((method === 'help' || method === 'batch') && this.health.state === 'warming-up') return;
		if (this.health.state !== 'wrong-chain') this.health.enter('up', null);
	}

	#error(
		code: UpstreamErrorCode,
		message: string,
		call: Exchange,
		reached: Reached,
		facts: { status?: number; rpcCode?: number; rpcMessage?: string; cause?: unknown } = {}
	): UpstreamError {
		return new UpstreamError(code, `${this.config.id} ${call.method}: ${message}`, {
			daemon: this.config.id,
			method: call.method,
			requestId: call.requestId,
			reached,
			...facts
		});
	}
}
