import { setTimeout as pause } from 'node:timers/promises';
import { randomInt } from 'node:crypto';
import type { CodesOf } from '#lib/messages/errors/index.ts';
import { kdfRequestText, type KdfAnswer } from '#lib/rpc/kdf/envelope.ts';
import { kdfDefinition } from '#lib/rpc/kdf/index.ts';
import type { KdfConfig } from '#lib/server/platform/config/types.ts';
import type { KdfSaid } from '../../chains/upstream/answers/read.ts';
import { readers } from '../../chains/upstream/answers/readers.ts';
import { Limiter } from '../../chains/upstream/limiter.ts';
import type { HttpAnswer } from '../../chains/upstream/requestHandler.ts';
import { Transport } from '../../chains/upstream/transport.ts';
import { isTooLate, waitFor } from '../../chains/upstream/wait.ts';
import { isAppError, type AppError } from '../../platform/errors/appError.ts';
import { kdfError, type KdfError, type KdfErrorCode, type KdfFacts } from './kdfError.ts';
import { KdfHealth } from './kdfHealth.ts';
import { KdfIdentity } from './kdfIdentity.ts';
import { judgeAnswer } from './kdfJudgement.ts';
import { KdfPassword } from './kdfPassword.ts';
import type { KdfStops } from './kdfStops.ts';
import type { KdfInfo, KdfReply, KdfRequest, KdfState, KdfStop } from './kdfTypes.ts';

/** The call that an error is about. */
type Called = Pick<KdfRequest, 'method'> & Partial<Pick<KdfRequest, 'requestId'>>;

export interface KdfLimits {
	/** Maximum number of concurrent calls: fewer than the wrong passwords that lead to a ban. */
	maxConcurrency: number;
	/** Maximum number of queued calls, for each priority. */
	maxQueued: number;
	maxAnswerBytes: number;
	connectTimeoutMs: number;
	/** How long calls fail here without being sent after the host did not respond. Milliseconds. */
	cooldownMs: number;
}

const FIRST_PAUSE_MS = 100;

/**
 * One trading node: its connections, its queue, its password and its health. The first refusal of the
 * password stops all calls. Until the password has been accepted, calls are sent one after the other, so that
 * a wrong one is refused only once.
 */
export class KdfUpstream {
	readonly config: KdfConfig;
	readonly #limits: KdfLimits;
	readonly #stops: KdfStops;
	/** Monotonic clock, for deadlines and cooldowns. */
	readonly #steady = (): number => performance.now();
	readonly #limiter: Limiter;
	/** Limits calls that may take long, before `#limiter`: they leave one slot to the others. */
	readonly #long: Limiter;
	readonly #transport: Transport;
	readonly #password: KdfPassword;
	/** Wall clock, for display. */
	readonly #now: () => number;
	readonly health: KdfHealth;
	readonly identity: KdfIdentity;
	#accepted = false;
	/** How often the password was forgotten: an answer to a call from before it accepts nothing. */
	#forgotten = 0;
	#trying: Promise<unknown> | null = null;
	/**
	 * Starts at a random number, so that the answer to a call of an earlier process is not taken for one to ours.
	 */
	#lastId = BigInt(randomInt(2 ** 40));
	/** Calls fail without being sent until this time, because the host did not respond. */
	#cooldownUntil = 0;
	mismatches = 0;

	constructor(config: KdfConfig, limits: KdfLimits, stops: KdfStops, now: () => number) {
		this.config = config;
		this.#limits = limits;
		this.#stops = stops;
		this.#now = now;
		this.#password = new KdfPassword(config.credentials);
		// A node that was started again may have been given another password.
		this.identity = new KdfIdentity(
			config.dialect,
			(call) => this.request(call),
			() => this.forgetPassword()
		);
		this.health = new KdfHealth(now, () => {
			this.identity.forget();
			this.forgetPassword();
		});
		this.#limiter = new Limiter({
			maxConcurrency: limits.maxConcurrency,
			maxQueued: limits.maxQueued
		});
		this.#long = new Limiter({
			maxConcurrency: Math.max(1, limits.maxConcurrency - 1),
			maxQueued: limits.maxQueued
		});
		this.#transport = new Transport(config.url, {
			connections: limits.maxConcurrency,
			connectTimeoutMs: limits.connectTimeoutMs,
			trust: config.trust
		});
	}

	async info(): Promise<KdfInfo> {
		const stop = await this.#stops.get(this.config.id);
		const { version, builtAt } = this.identity.release;
		const { state, since, lastGoodAt, reason, absences } = this.health;
		return {
			id: this.config.id,
			url: this.config.url,
			dialect: this.identity.dialect,
			version,
			builtAt,
			state: stop ? 'stopped' : state,
			since: stop ? stop.since : since,
			lastGoodAt,
			reason: stop ? this.#stopped(stop, { method: 'version' }).coded : reason,
			stop,
			absences,
			mismatches: this.mismatches,
			inFlight: this.#limiter.running,
			queued: this.#limiter.queued + this.#long.queued
		};
	}

	/** Whether a text contains the password that calls are sent with. */
	isKnownPassword(text: string): boolean {
		return this.#password.isIn(text);
	}

	/** Has the next call read the password again, and try it alone. */
	forgetPassword(): void {
		this.#accepted = false;
		this.#forgotten += 1;
	}

	/**
	 * Sends one call and returns the node's answer, refusals of the method included.
	 * @throws {AppError} `kdf` for everything else
	 */
	async request(call: KdfRequest, tries = 1): Promise<KdfReply> {
		const deadline = this.#steady() + call.timeoutMs;
		const hopeful = this.health.promising;
		for (let attempt = 1; ; attempt += 1) {
			try {
				return await this.#queued(call, deadline);
			} catch (error) {
				if (!isAppError(error, 'kdf')) throw error;
				const wait = FIRST_PAUSE_MS * 2 ** (attempt - 1);
				const again =
					hopeful &&
					attempt < tries &&
					isAppError(
						error,
						'kdf.unreachable',
						'kdf.password-replaced',
						// The file may be being written.
						'kdf.password-unreadable'
					) &&
					error.params.delivery === 'not-sent' &&
					this.#steady() + wait < deadline;
				if (!again) throw error;
				await pause(wait);
			}
		}
	}

	async close(): Promise<void> {
		await this.#transport.close();
	}

	error<Code extends KdfErrorCode>(
		code: Code,
		{ method, requestId }: Called,
		facts: KdfFacts<Code>,
		cause?: unknown
	): AppError<Code> {
		const { name } = kdfDefinition(method);
		return kdfError(code, { kdf: this.config.id, method: name, requestId }, facts, cause);
	}

	async #queued(call: KdfRequest, deadline: number): Promise<KdfReply> {
		const { priority } = call;
		const timeLeft = (): number => Math.max(1, deadline - this.#steady());
		const isLong = priority === 'background' || kdfDefinition(call.method).deadline === 'slow';
		const leave = (): Promise<KdfReply> => this.#oneByOne(call, deadline);
		const placed = (): Promise<KdfReply> => this.#limiter.run(priority, timeLeft(), leave);
		try {
			return isLong ? await this.#long.run(priority, timeLeft(), placed) : await placed();
		} catch (cause) {
			if (!isAppError(cause, 'queue.full', 'queue.timeout')) throw cause;
			const code = cause.code === 'queue.full' ? 'kdf.busy' : 'kdf.timeout';
			throw this.error(code, call, { delivery: 'not-sent' }, cause);
		}
	}

	/**
	 * Until the password was accepted once, a call waits for the one that tries it: a quick one, so that no
	 * call waits for a long one.
	 */
	async #oneByOne(call: KdfRequest, deadline: number): Promise<KdfReply> {
		const isFree = (): boolean => this.#accepted || kdfDefinition(call.method).open;
		let triesItself = this.identity.isQuick(call);
		for (;;) {
			while (this.#trying !== null && !isFree()) {
				await this.#afterFirst(this.#trying, call, deadline);
			}
			if (isFree()) return this.#send(call, deadline);
			if (triesItself) return this.#alone(call, deadline);
			const proof = this.identity.proof();
			const ends = Math.min(deadline, this.#steady() + proof.timeoutMs);
			await this.#alone(proof, ends).catch((error: unknown) => {
				if (!isAppError(error, 'kdf')) throw error;
			});
			// If the proof does not tell, the call itself tries the password.
			triesItself = true;
		}
	}

	/** Sends a call that tries the password; others wait for it. */
	#alone(call: KdfRequest, deadline: number): Promise<KdfReply> {
		const mine = this.#send(call, deadline).finally(() => {
			this.#trying = null;
		});
		this.#trying = mine;
		return mine;
	}

	/** Waits until the call that tries the password has ended, well or not. */
	async #afterFirst(first: Promise<unknown>, call: KdfRequest, deadline: number): Promise<void> {
		const ended = first.then(
			() => undefined,
			() => undefined
		);
		try {
			await waitFor(ended, deadline - this.#steady());
		} catch (cause) {
			if (!isAppError(cause, 'answer.pending')) throw cause;
			throw this.error('kdf.timeout', call, { delivery: 'not-sent' }, cause);
		}
	}

	async #send(call: KdfRequest, deadline: number): Promise<KdfReply> {
		// It takes time, in which another call may learn that the password is refused: nothing waits after the stop.
		await call.beforeSend?.();
		const stop = await this.#stops.get(this.config.id);
		if (stop !== null) {
			// Another server may allow calls again once the password was corrected, so it has to be read
			// again then.
			this.forgetPassword();
			throw this.#stopped(stop, call);
		}
		if (this.#steady() < this.#cooldownUntil) {
			throw this.error('kdf.unreachable', call, { delivery: 'not-sent' });
		}
		const { name, envelope, open } = kdfDefinition(call.method);
		const password = open ? null : this.#readPassword(call);
		const sent = { password, accepted: this.#accepted, forgotten: this.#forgotten };
		const id = call.id === 'own' ? (this.#lastId += 1n) : call.id;
		const body = kdfRequestText({
			name,
			envelope,
			params: call.params,
			userpass: password,
			id
		});
		const raw = this.#password.redact(await this.#post(body, call, deadline));
		const said = await this.#judge(raw, call, id, sent);
		if (!open && sent.forgotten === this.#forgotten) this.#accepted = true;
		this.health.good();
		return { raw, said };
	}

	#readPassword(call: KdfRequest): string {
		// Until the node accepts one, it may be away, and the file be corrected meanwhile.
		try {
			return this.#password.read(!this.#accepted);
		} catch (cause) {
			if (!isAppError(cause, 'mm2')) throw cause;
			throw this.error('kdf.password-unreadable', call, { delivery: 'not-sent' }, cause);
		}
	}

	async #post(body: string, call: KdfRequest, deadline: number): Promise<HttpAnswer> {
		const timeoutMs = Math.round(deadline - this.#steady());
		const acts = call.beforeSend !== undefined;
		if (isTooLate({ timeoutMs: call.timeoutMs, acts }, timeoutMs))
			throw this.error('kdf.timeout', call, { delivery: 'not-sent' });
		try {
			return await this.#transport.post(body, {
				authorization: null,
				timeoutMs,
				maxBytes: Math.min(kdfDefinition(call.method).answer.bytes, this.#limits.maxAnswerBytes),
				// A password that may be wrong is sent only once.
				retry: call.retry && (this.#accepted || kdfDefinition(call.method).open)
			});
		} catch (cause) {
			if (!isAppError(cause, 'transport')) throw cause;
			throw this.#lost(cause, call);
		}
	}

	/**
	 * Converts the error of a request without a complete answer, and sets the state of the node that follows
	 * from it.
	 */
	#lost(cause: AppError<CodesOf<'transport'>>, call: KdfRequest): KdfError {
		const { delivery } = cause.params;
		switch (cause.code) {
			case 'transport.untrusted':
				return this.#entered('down', this.error('kdf.untrusted', call, { delivery }, cause));
			case 'transport.silent':
				this.#cooldownUntil = this.#steady() + this.#limits.cooldownMs;
				return this.#entered('down', this.error('kdf.unreachable', call, { delivery }, cause));
			case 'transport.unreachable':
				return this.#entered('down', this.error('kdf.unreachable', call, { delivery }, cause));
			case 'transport.timeout':
				return this.#entered('busy', this.error('kdf.timeout', call, { delivery }, cause));
			case 'transport.truncated':
				return this.#entered('down', this.error('kdf.truncated', call, { delivery }, cause));
			case 'transport.too-large':
				return this.error('kdf.too-large', call, { delivery }, cause);
		}
	}

	/** Sets the state that an error shows, and returns the error. */
	#entered(state: KdfState, error: KdfError): KdfError {
		this.health.enter(state, error);
		return error;
	}

	/** Parses an answer, in another thread when it is large. */
	async #said(raw: HttpAnswer, call: KdfRequest, id: bigint | null): Promise<KdfSaid> {
		const { body, status } = raw;
		try {
			return await readers.read({ kind: 'node-said', method: call.method, id, body });
		} catch (cause) {
			if (!isAppError(cause, 'answer')) throw cause;
			throw this.error('kdf.too-large', call, { delivery: 'delivered', status }, cause);
		}
	}

	/**
	 * Returns what an answer says. A refused password stops all calls to this node, unless it was replaced since it
	 * was read: then only this call fails.
	 * @param sent the password of the call, null for none, and whether the node had accepted it by then
	 */
	async #judge(
		raw: HttpAnswer,
		call: KdfRequest,
		id: bigint | null,
		sent: { password: string | null; accepted: boolean }
	): Promise<KdfAnswer | null> {
		const { status } = raw;
		const { open } = kdfDefinition(call.method);
		const password = open ? 'none' : sent.accepted ? 'accepted' : 'untried';
		const judged = judgeAnswer(await this.#said(raw, call, id), raw, password);
		if (judged.kind === 'said') return judged.said;
		if (judged.kind === 'perhaps-refused') {
			// A harmless call is sent before any other, to find out.
			this.forgetPassword();
			throw this.error('kdf.not-kdf', call, { delivery: 'unknown', status });
		}
		if (judged.kind === 'password-refused') {
			const { reason, attemptsLeft } = judged;
			const stop: KdfStop = { reason, attemptsLeft, since: this.#now() };
			const isReplaced = reason !== 'banned' && this.#password.isNewerThan(sent.password);
			this.forgetPassword();
			// Other servers may already use the new one, which a stop would end.
			if (isReplaced) {
				throw this.error('kdf.password-replaced', call, { delivery: 'not-sent', status });
			}
			await this.#stops.stop(this.config.id, stop);
			throw this.#stopped(stop, call, status);
		}
		if (judged.kind === 'mismatch') {
			this.mismatches += 1;
			const facts = { delivery: 'delivered', status, place: null } as const;
			throw this.error('kdf.validation-mismatch', call, facts);
		}
		const { code, delivery, isMismatch, state } = judged;
		if (isMismatch) this.mismatches += 1;
		const error = this.error(code, call, { delivery, status });
		throw state === undefined ? error : this.#entered(state, error);
	}

	#stopped({ reason, attemptsLeft }: KdfStop, call: Called, status?: number): KdfError {
		const stop = { reason, attemptsLeft };
		return this.error('kdf.password-refused', call, { delivery: 'not-sent', stop, status });
	}
}
