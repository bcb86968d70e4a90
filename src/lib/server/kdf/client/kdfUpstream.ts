import { randomInt } from 'node:crypto';
import { kdfRequestText, type KdfAnswer } from '#lib/rpc/kdf/envelope.ts';
import { kdfDefinition } from '#lib/rpc/kdf/index.ts';
import type { KdfConfig } from '#lib/server/platform/config/types.ts';
import type { KdfSaid } from '../../chains/daemon/answers/read.ts';
import { ReaderError, readers } from '../../chains/daemon/answers/readers.ts';
import { Limiter } from '../../chains/daemon/limiter.ts';
import { Transport, TransportError, type HttpAnswer } from '../../chains/daemon/transport.ts';
import { StoppedWaiting, waitFor } from '../../chains/daemon/wait.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import { stopSentence } from './kdfExplain.ts';
import { KdfHealth } from './kdfHealth.ts';
import { KdfIdentity } from './kdfIdentity.ts';
import { judgeAnswer } from './kdfJudgement.ts';
import { KdfPassword } from './kdfPassword.ts';
import type { KdfStops } from './kdfStops.ts';
import {
	KdfError,
	type KdfErrorCode,
	type KdfErrorFacts,
	type KdfExchange,
	type KdfInfo,
	type KdfReply,
	type KdfStop
} from './kdfTypes.ts';

export interface KdfLimits {
	/** Calls on the wire at once: fewer than the wrong passwords that lead to a ban. */
	places: number;
	/** Calls of each priority that may wait for a place. */
	queue: number;
	maxAnswerBytes: number;
	connectTimeoutMs: number;
	/** How long calls are refused here after a silent host, before one is let through. */
	restMs: number;
}

const TRIES = 3;
const FIRST_PAUSE_MS = 100;

const UNTRUSTED = 'It shows a certificate that is not trusted here, so nothing is sent to it.';

const pause = (ms: number): Promise<void> =>
	new Promise((resolve) => {
		setTimeout(resolve, ms);
	});

/**
 * One trading node: its connections, its queue, its password and what is known of its health. The first
 * refusal of the password ends all calls; while the password has not been accepted yet, calls go out one
 * after the other, so that a wrong one is refused once.
 */
export class KdfUpstream {
	readonly config: KdfConfig;
	readonly #limits: KdfLimits;
	readonly #stops: KdfStops;
	/** Deadlines and rests are of a clock that nobody sets. */
	readonly #steady = (): number => performance.now();
	readonly #limiter: Limiter;
	readonly #transport: Transport;
	readonly #password: KdfPassword;
	/** The wall clock, for people. */
	readonly #now: () => number;
	readonly health: KdfHealth;
	readonly identity: KdfIdentity;
	#accepted = false;
	#trying: Promise<unknown> | null = null;
	/** Begins anywhere, so that an answer to a call of an earlier life is not taken for one to ours. */
	#lastId = randomInt(2 ** 40);
	/** While the host is silent, calls fail here until this time. */
	#restUntil = 0;
	mismatches = 0;

	constructor(config: KdfConfig, limits: KdfLimits, stops: KdfStops, now: () => number) {
		this.config = config;
		this.#limits = limits;
		this.#stops = stops;
		this.#now = now;
		this.#password = new KdfPassword(config.credentials);
		this.identity = new KdfIdentity(config.dialect, (call) => this.exchange(call, false));
		this.health = new KdfHealth(now, () => this.identity.forget());
		this.#limiter = new Limiter({ places: limits.places, queue: limits.queue });
		this.#transport = new Transport(config.url, {
			connections: limits.places,
			connectTimeoutMs: limits.connectTimeoutMs,
			trust: config.trust
		});
	}

	async info(): Promise<KdfInfo> {
		const stop = await this.#stops.get(this.config.id);
		const { version, builtAt } = this.identity.release;
		const { state, since, lastGoodAt, detail, absences } = this.health;
		return {
			id: this.config.id,
			url: this.config.url,
			dialect: this.identity.dialect,
			version,
			builtAt,
			state: stop ? 'stopped' : state,
			since: stop ? stop.since : since,
			lastGoodAt,
			detail: stop ? stopSentence(stop) : detail,
			stop,
			absences,
			mismatches: this.mismatches,
			inFlight: this.#limiter.running,
			queued: this.#limiter.queued
		};
	}

	/** Whether a text holds the password that calls go out with. */
	isKnownPassword(text: string): boolean {
		return this.#password.isIn(text);
	}

	/** Forgets the password, so that the next call reads it anew. */
	forgetPassword(): void {
		this.#password.forget();
		this.#accepted = false;
	}

	/**
	 * Sends one call and gives back what the node said, refusals of the method included.
	 * @throws {NodeError} for everything else
	 */
	async exchange(call: KdfExchange, retry: boolean): Promise<KdfReply> {
		const deadline = this.#steady() + call.timeoutMs;
		const patient = this.health.promising;
		for (let attempt = 1; ; attempt += 1) {
			try {
				return await this.#queued(call, deadline);
			} catch (error) {
				if (!(error instanceof KdfError)) throw error;
				const wait = FIRST_PAUSE_MS * 2 ** (attempt - 1);
				const again =
					retry &&
					patient &&
					attempt < TRIES &&
					error.code === 'unreachable' &&
					error.reached === 'no' &&
					this.#steady() + wait < deadline;
				if (!again) throw error;
				await pause(wait);
			}
		}
	}

	async close(): Promise<void> {
		await this.#transport.close();
	}

	error(
		code: KdfErrorCode,
		words: string,
		call: Pick<KdfExchange, 'method' | 'requestId'>,
		facts: Partial<KdfErrorFacts> & Pick<KdfErrorFacts, 'reached'>
	): KdfError {
		return new KdfError(code, words, {
			node: this.config.id,
			method: kdfDefinition(call.method).name,
			requestId: call.requestId,
			...facts
		});
	}

	async #queued(call: KdfExchange, deadline: number): Promise<KdfReply> {
		const timeLeft = Math.max(1, deadline - this.#steady());
		try {
			return await this.#limiter.run(call.priority, timeLeft, () => this.#oneByOne(call, deadline));
		} catch (cause) {
			if (isAppError(cause, 'queue.full')) {
				throw this.error('busy', 'Too many calls wait for this node.', call, {
					reached: 'no',
					cause
				});
			}
			if (isAppError(cause, 'queue.timeout')) {
				throw this.error('timeout', 'No free place in time.', call, { reached: 'no', cause });
			}
			throw cause;
		}
	}

	/** Until the password was accepted once, a call waits for the one before it. */
	async #oneByOne(call: KdfExchange, deadline: number): Promise<KdfReply> {
		if (this.#accepted || kdfDefinition(call.method).open) return this.#send(call, deadline);
		while (this.#trying !== null && !this.#accepted) {
			await this.#afterFirst(this.#trying, call, deadline);
		}
		if (this.#accepted) return this.#send(call, deadline);
		const mine = this.#send(call, deadline).finally(() => {
			this.#trying = null;
		});
		this.#trying = mine;
		return mine;
	}

	/** Waits until the call that tries the password has ended, well or not. */
	async #afterFirst(first: Promise<unknown>, call: KdfExchange, deadline: number): Promise<void> {
		const ended = first.then(
			() => undefined,
			() => undefined
		);
		try {
			await waitFor(ended, deadline - this.#steady());
		} catch (cause) {
			if (!(cause instanceof StoppedWaiting)) throw cause;
			throw this.error('timeout', 'The first call to the node still goes on.', call, {
				reached: 'no',
				cause
			});
		}
	}

	async #send(call: KdfExchange, deadline: number): Promise<KdfReply> {
		const stop = await this.#stops.get(this.config.id);
		if (stop !== null) throw this.#stopped(stop, call);
		if (this.#steady() < this.#restUntil) {
			throw this.error('unreachable', 'The node did not answer a moment ago.', call, {
				reached: 'no'
			});
		}
		const { name, envelope, open } = kdfDefinition(call.method);
		const password = open ? null : this.#readPassword(call);
		const id = call.id === 'own' ? (this.#lastId += 1) : call.id;
		const body = kdfRequestText({
			name,
			envelope,
			params: call.params,
			userpass: password,
			id
		});
		const raw = this.#password.redact(await this.#post(body, call, deadline));
		const said = await this.#judge(raw, call, id);
		if (!open) this.#accepted = true;
		this.health.good();
		return { raw, said };
	}

	#readPassword(call: KdfExchange): string {
		try {
			return this.#password.read();
		} catch (cause) {
			if (!isAppError(cause, 'mm2')) throw cause;
			throw this.error('unreachable', cause.message, call, { reached: 'no', cause });
		}
	}

	async #post(body: string, call: KdfExchange, deadline: number): Promise<HttpAnswer> {
		const timeoutMs = Math.max(1, Math.round(deadline - this.#steady()));
		try {
			return await this.#transport.post(body, {
				authorization: null,
				timeoutMs,
				maxBytes: Math.min(kdfDefinition(call.method).answer.bytes, this.#limits.maxAnswerBytes),
				ownConnection: false
			});
		} catch (cause) {
			if (!(cause instanceof TransportError)) throw cause;
			const { kind, reached, silent, untrusted } = cause;
			if (untrusted) {
				this.health.enter('down', UNTRUSTED);
				throw this.error('untrusted', UNTRUSTED, call, { reached: 'no', cause });
			}
			if (kind === 'unreachable' || silent) {
				this.health.enter('down', 'Nothing answers at this address.');
				if (silent) this.#restUntil = this.#steady() + this.#limits.restMs;
				throw this.error('unreachable', 'No connection to the node.', call, { reached, cause });
			}
			if (kind === 'timeout') this.health.enter('busy', 'It did not answer a call in time.');
			if (kind === 'truncated') this.health.enter('down', 'Its answers break off.');
			throw this.error(kind, cause.message, call, { reached, cause });
		}
	}

	/** What the answer says, read in another thread where it is large. */
	async #said(raw: HttpAnswer, call: KdfExchange, id: number | null): Promise<KdfSaid> {
		const { body, status } = raw;
		try {
			return await readers.read({ kind: 'node-said', method: call.method, id, body });
		} catch (cause) {
			if (!(cause instanceof ReaderError)) throw cause;
			throw this.error('too-large', cause.message, call, { reached: 'yes', status, cause });
		}
	}

	/** What the answer says; a refused password ends all calls to this node. */
	async #judge(raw: HttpAnswer, call: KdfExchange, id: number | null): Promise<KdfAnswer | null> {
		const { status } = raw;
		const judged = judgeAnswer(await this.#said(raw, call, id), raw);
		if (judged.kind === 'said') return judged.said;
		if (judged.kind === 'password-refused') {
			const { reason, attemptsLeft } = judged;
			const stop: KdfStop = { reason, attemptsLeft, since: this.#now() };
			this.#accepted = false;
			await this.#stops.stop(this.config.id, stop);
			throw this.#stopped(stop, call, status);
		}
		const { code, words, reached, isMismatch, health } = judged;
		if (isMismatch) this.mismatches += 1;
		if (health) this.health.enter(health.state, health.detail);
		throw this.error(code, words, call, { reached, status });
	}

	#stopped(stop: KdfStop, call: KdfExchange, status?: number): KdfError {
		return this.error('stopped', 'The node refused the configured password.', call, {
			reached: 'no',
			stop,
			status
		});
	}
}
