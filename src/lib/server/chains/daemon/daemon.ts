import type { IdentityDifference } from '#lib/messages/errors/daemon.ts';
import type { AnswerLimit } from '#lib/rpc/answerLimit.ts';
import { daemonMethods } from '#lib/rpc/daemon/index.ts';
import type { DaemonConfig, Dialect } from '#lib/server/platform/config/types.ts';
import { newCallId } from './answers/callId.ts';
import { FinalBytes } from './finalBytes.ts';
import { difference, readIdentity, type DaemonIdentity } from './identity.ts';
import {
	daemonError,
	type DaemonError,
	type DaemonErrorCode,
	type DaemonFacts
} from './daemonError.ts';
import type { CallOptions, DaemonInfo, RawAnswer } from './types.ts';
import { Upstream, type UpstreamLimits } from './upstream.ts';
import type { Awaitable } from '../../platform/async/awaitable.ts';
import { AppError, isAppError } from '../../platform/errors/appError.ts';
import { waitFor } from './wait.ts';

/** The id in an answer that is made here. */
const KEPT_ID = '"komodeck"';

const FINAL_BYTES_PER_DAEMON = 16 * 1024 * 1024;
const IDENTIFY_MS = 5_000;
/** Blocks that a daemon may lack and still be up to date: they come one by one. */
const BEHIND = 10;
/** A caller's time-out below this says nothing about the daemon. */
const SLOW_MS = 300;
/** How long who does not wait for the end of a read waits for a daemon that is away: it may be back. */
const BRIEF_MS = 20;

/** One call, as far as a daemon needs to know it. */
interface DaemonCall {
	method: string;
	/** The parameters as a JSON array. */
	paramsText: string;
	/** Changes nothing: may be shared with identical calls in flight. */
	read: boolean;
	retry: boolean;
	timeoutMs: number;
	/** The answer can never change, so it may be kept. */
	final: boolean;
	/** The most that the answer may hold. */
	limit: AnswerLimit;
	/** Asked before it leaves where it had to wait for its place: what it throws keeps it here. */
	afterWait?: () => Promise<void>;
}

interface Shared {
	answer: Promise<RawAnswer>;
	/** Why the last try failed while the call still goes on. */
	lastTry: DaemonError | null;
}

/** The text of a request with one call. */
export function requestText(method: string, paramsText: string, idText: string): string {
	return `{"jsonrpc":"1.0","id":${idText},"method":${JSON.stringify(method)},"params":${paramsText}}`;
}

const keyOf = (method: string, paramsText: string): string => `${method} ${paramsText}`;

/** One configured daemon: who it is, which reads are under way, which answers are final. */
export class Daemon {
	readonly config: DaemonConfig;
	readonly upstream: Upstream;
	readonly #shared = new Map<string, Shared>();
	readonly #final = new FinalBytes(FINAL_BYTES_PER_DAEMON);
	#identity: DaemonIdentity | null = null;
	/** The absences at which the daemon was last found to be the right one; null: never, or not now. */
	#confirmedAt: number | null = null;
	/** How it was last found to be another one than configured. */
	#difference: IdentityDifference | null = null;
	#asked = false;
	#identifying: Promise<void> | null = null;

	constructor(config: DaemonConfig, limits: UpstreamLimits) {
		this.config = config;
		this.upstream = new Upstream(config, limits);
	}

	get dialect(): Dialect {
		return this.config.dialect ?? this.#identity?.dialect ?? 'komodod';
	}

	get info(): DaemonInfo {
		const { health, inFlight, queued } = this.upstream;
		const { config } = this;
		return {
			id: config.id,
			chain: config.chain,
			url: config.url,
			purposes: config.purposes,
			dialect: this.dialect,
			acImport: config.acImport,
			acPubkey: config.acPubkey,
			dataCarrierSize: config.dataCarrierSize,
			name: this.#identity?.name ?? null,
			ccid: this.#identity?.ccid ?? null,
			pubkey: this.#identity?.pubkey ?? null,
			version: this.#identity?.version ?? null,
			release: this.#identity?.release ?? null,
			health: {
				state: health.state,
				since: health.since,
				lastGoodAt: health.lastGoodAt,
				reason: health.reason,
				mismatches: health.mismatches,
				unknownRefusals: health.unknownRefusals.list,
				inFlight,
				queued
			}
		};
	}

	/**
	 * Waits until the daemon has been asked who it is. The first call of all waits, because the spelling of
	 * parameters depends on it; later only calls that change something do.
	 */
	introduced(options: CallOptions, method: string, read: boolean): Awaitable<void> {
		if (this.#confirmed || (this.#asked && read)) return this.#isRight(options, method);
		const known = this.#withTimeout(this.identify(), options, method, null);
		return known.then(() => this.#isRight(options, method));
	}

	/** @throws {AppError} `daemon.wrong-chain` */
	#isRight(options: CallOptions, method: string): void {
		if (this.upstream.health.state === 'wrong-chain') {
			throw this.error('daemon.wrong-chain', method, options, {
				delivery: 'not-sent',
				difference: this.#difference
			});
		}
	}

	/** Asks the daemon who it is. Never rejects: what failed is in the health. */
	identify(): Promise<void> {
		this.#identifying ??= this.#identify().finally(() => {
			this.#identifying = null;
		});
		return this.#identifying;
	}

	async #identify(): Promise<void> {
		try {
			const id = newCallId();
			const answer = await this.upstream.request({
				method: 'getinfo',
				body: requestText('getinfo', '[]', id),
				id,
				maxBytes: daemonMethods.getinfo.answer.bytes,
				timeoutMs: IDENTIFY_MS,
				priority: 'interactive',
				retry: false,
				ownConnection: false
			});
			this.learn(readIdentity(answer));
		} catch (error) {
			if (!isAppError(error, 'daemon')) throw error;
		} finally {
			this.#asked = true;
		}
	}

	/** Takes note of who the daemon is and whether that is who it should be. */
	learn(identity: DaemonIdentity | null): void {
		if (identity === null) return;
		const { health } = this.upstream;
		const wrong = difference(this.config, identity);
		this.#identity = identity;
		this.#confirmedAt = wrong === null ? health.absences : null;
		this.#difference = wrong;
		if (wrong !== null) {
			const facts = { delivery: 'delivered', difference: wrong } as const;
			const { coded } = this.error('daemon.wrong-chain', 'getinfo', {}, facts);
			health.enter('wrong-chain', coded);
		} else if (health.state === 'wrong-chain') health.enter('up', null);
	}

	/** Whether it was last found to be without many blocks that its peers have. */
	get isBehind(): boolean {
		return (this.#identity?.lacks ?? 0) > BEHIND;
	}

	/** Whether it has a wallet, as far as it told. */
	get hasWallet(): boolean {
		return this.#identity?.hasWallet ?? true;
	}

	get #confirmed(): boolean {
		return this.#confirmedAt === this.upstream.health.absences;
	}

	/** Whether the next poll should come soon. */
	get wantsPoll(): boolean {
		return !this.#confirmed || this.upstream.health.state !== 'up';
	}

	/**
	 * Makes one call. Identical reads that are under way share one request.
	 * @throws {AppError} `daemon`
	 */
	call(call: DaemonCall, options: CallOptions): Promise<RawAnswer> {
		if (!call.read) {
			const sent: Shared = { answer: this.#start(call, options, () => undefined), lastTry: null };
			sent.answer.catch(() => undefined);
			return this.#withTimeout(sent.answer, options, call.method, sent);
		}
		const key = keyOf(call.method, call.paramsText);
		const kept = this.#final.get(key);
		if (kept !== undefined) return Promise.resolve(kept);
		const running = this.#shared.get(key);
		if (running !== undefined) return this.#waitForRead(running, options, call.method);
		const shared: Shared = {
			answer: this.#start(call, options, (error) => (shared.lastTry = error)),
			lastTry: null
		};
		this.#shared.set(key, shared);
		shared.answer.then(
			(answer) => {
				this.#shared.delete(key);
				if (call.final && answer.status === 200) this.#final.set(key, answer);
			},
			() => this.#shared.delete(key)
		);
		return this.#waitForRead(shared, options, call.method);
	}

	#waitForRead(shared: Shared, options: CallOptions, method: string): Promise<RawAnswer> {
		const { timeout } = options;
		return timeout === undefined || !this.upstream.health.isAway
			? this.#withTimeout(shared.answer, options, method, shared)
			: this.#waitBriefly(shared, options, method, timeout);
	}

	/** No page is held up by a daemon that has been away for a while; the read goes on. */
	async #waitBriefly(
		shared: Shared,
		options: CallOptions,
		method: string,
		timeout: number
	): Promise<RawAnswer> {
		const { reason } = this.upstream.health;
		const brief = { ...options, timeout: Math.min(timeout, BRIEF_MS) };
		try {
			return await this.#withTimeout(shared.answer, brief, method, shared);
		} catch (cause) {
			// Why it is away is known better than that it was not waited for.
			if (reason === null || !isAppError(cause, 'daemon.timeout')) throw cause;
			throw AppError.of(reason, { cause });
		}
	}

	/** Sends several calls as one request, once. @throws {AppError} `daemon` */
	async batch(
		body: string,
		limits: { timeoutMs: number; maxBytes: number; afterWait: () => Promise<void> },
		options: CallOptions
	): Promise<RawAnswer> {
		const answer = this.upstream.request({
			...limits,
			method: 'batch',
			body,
			id: null,
			priority: options.priority ?? 'interactive',
			requestId: options.requestId,
			retry: false,
			ownConnection: true
		});
		answer.catch(() => undefined);
		return this.#withTimeout(answer, options, 'batch', null);
	}

	/** Keeps the raw bytes of a transaction that no reorganisation can undo any more. */
	keepTransaction(txid: string, hex: string): void {
		const before = `{"result":"${hex}","error":null,"id":`;
		const body = Buffer.from(`${before}${KEPT_ID}}\n`, 'latin1');
		const id = { start: before.length, end: before.length + KEPT_ID.length };
		const answer: RawAnswer = { status: 200, contentType: 'application/json', body, id };
		for (const params of [`["${txid}"]`, `["${txid}",0]`]) {
			this.#final.set(keyOf('getrawtransaction', params), answer);
		}
	}

	error<Code extends DaemonErrorCode>(
		code: Code,
		method: string,
		{ requestId }: CallOptions,
		facts: DaemonFacts<Code>,
		cause?: unknown
	): AppError<Code> {
		return daemonError(code, { daemon: this.config.id, method, requestId }, facts, cause);
	}

	async #start(
		call: DaemonCall,
		options: CallOptions,
		onTry: (error: DaemonError) => void
	): Promise<RawAnswer> {
		const id = newCallId();
		const answer = await this.upstream.request({
			method: call.method,
			body: requestText(call.method, call.paramsText, id),
			id,
			maxBytes: call.limit.bytes,
			timeoutMs: call.timeoutMs,
			priority: options.priority ?? 'interactive',
			requestId: options.requestId,
			retry: call.retry,
			ownConnection: call.limit.grows,
			onTry,
			afterWait: call.afterWait
		});
		this.upstream.health.unknownRefusals.note(call.method, answer);
		return answer;
	}

	/** Long before the deadline of a call people can see that a daemon is slow. */
	#noteSlow(waitedMs: number, error: DaemonError): void {
		const { health } = this.upstream;
		if (waitedMs < SLOW_MS || (health.state !== 'up' && health.state !== 'unknown')) return;
		health.enter('busy', error.coded);
	}

	#withTimeout<T>(
		answer: Promise<T>,
		options: CallOptions,
		method: string,
		shared: Shared | null
	): Promise<T> {
		const { timeout } = options;
		if (timeout === undefined) return answer;
		return this.#within(answer, timeout, options, method, shared);
	}

	async #within<T>(
		answer: Promise<T>,
		timeout: number,
		options: CallOptions,
		method: string,
		shared: Shared | null
	): Promise<T> {
		try {
			return await waitFor(answer, timeout);
		} catch (cause) {
			if (!isAppError(cause, 'answer.pending')) throw cause;
			if (shared !== null && shared.lastTry !== null) throw shared.lastTry;
			// Without a shared call only the introduction was waited for.
			const delivery = shared === null && method !== 'batch' ? 'not-sent' : 'unknown';
			const error = this.error('daemon.timeout', method, options, { delivery });
			this.#noteSlow(timeout, error);
			throw error;
		}
	}
}
