import type { IdentityDifference } from '#lib/messages/errors/daemon.ts';
import type { AnswerLimit } from '#lib/rpc/answerLimit.ts';
import { daemonMethods } from '#lib/rpc/daemon/index.ts';
import type { Dialect } from '#lib/rpc/codec.ts';
import type { DaemonConfig } from '#lib/server/platform/config/types.ts';
import { newCallId } from '../upstream/answers/callId.ts';
import { createFinalBytes } from './finalBytes.ts';
import { difference, readIdentity, UNTOLD, type DaemonIdentity } from './identity.ts';
import {
	daemonError,
	type DaemonError,
	type DaemonErrorCode,
	type DaemonFacts
} from './daemonError.ts';
import type { CallOptions, DaemonInfo } from './types.ts';
import type { RawAnswer } from '../upstream/rawAnswer.ts';
import { Upstream, type UpstreamLimits } from './daemonUpstream.ts';
import type { Awaitable } from '../../platform/async/awaitable.ts';
import { AppError, isAppError } from '../../platform/errors/appError.ts';
import { waitFor } from '../upstream/wait.ts';

/** The id in answers that are built here. */
const BUILT_ID = '"komodeck"';

const FINAL_BYTES_PER_DAEMON = 16 * 1024 * 1024;
/** Times as long as usual that a read waits for the identity before its answer counts. */
const PATIENCE = 6;
/** Blocks that an up-to-date daemon may lack, since blocks arrive one by one. */
const BEHIND = 10;
/** Milliseconds. A caller's timeout below this says nothing about the daemon. */
const SLOW_MS = 300;
/** Milliseconds that a caller with a timeout waits for a daemon that is away, in case it is back. */
const BRIEF_MS = 20;

/** One call to a daemon, without knowledge of the method's meaning. */
interface DaemonCall {
	method: string;
	/** The parameters as a JSON array. */
	paramsText: string;
	/** The call changes nothing, so identical calls in flight may share its request. */
	read: boolean;
	retry: boolean;
	timeoutMs: number;
	/** The answer can never change, so it may be cached. */
	final: boolean;
	/** Size limit of the answer. */
	limit: AnswerLimit;
	/** Called right before sending, after all waits; the call is not sent when it rejects. */
	beforeSend?: () => Promise<void>;
}

interface Shared {
	answer: Promise<RawAnswer>;
	/** The error of the last attempt while the call is still being retried. */
	lastTry: DaemonError | null;
}

/** Returns the request body of one call. */
export function requestText(method: string, paramsText: string, idText: string): string {
	return `{"jsonrpc":"1.0","id":${idText},"method":${JSON.stringify(method)},"params":${paramsText}}`;
}

const keyOf = (method: string, paramsText: string): string => `${method} ${paramsText}`;

/** One configured daemon: its identity, the reads in flight, and its cached final answers. */
export class Daemon {
	readonly config: DaemonConfig;
	readonly upstream: Upstream;
	readonly #shared = new Map<string, Shared>();
	readonly #final = createFinalBytes(FINAL_BYTES_PER_DAEMON);
	#identity: DaemonIdentity | null = null;
	/** Value of `health.absences` when the identity was last confirmed; null when it never was or no longer matches. */
	#confirmedAt: number | null = null;
	/** The last difference found between identity and configuration; null when they match. */
	#difference: IdentityDifference | null = null;
	readonly #identifyMs: number;
	#asked = false;
	/** Value of `health.absences` when `getinfo` was last sent and answered; null before. */
	#toldAt: number | null = null;
	#identifying: Promise<void> | null = null;

	constructor(config: DaemonConfig, limits: UpstreamLimits) {
		this.config = config;
		this.#identifyMs = limits.identifyMs;
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
			algorithm: this.#identity?.algorithm ?? null,
			hasWallet: this.hasWallet,
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
	 * Waits until the daemon has been identified. The very first call always waits, because the encoding of
	 * parameters depends on the dialect; later only calls that change something wait. Later reads are sent at once,
	 * so that they fail quickly while the daemon is down, and their answers are checked: see {@link #check}.
	 */
	introduced(options: CallOptions, method: string, read: boolean): Awaitable<void> {
		if (this.#confirmed || (this.#asked && read))
			return this.#requireRight(options, method, 'not-sent');
		const known = this.#withTimeout(this.identify(), options, method, null);
		return known.then(() => this.#requireRight(options, method, 'not-sent'));
	}

	/** @throws {AppError} `daemon.wrong-chain` */
	#requireRight(options: CallOptions, method: string, delivery: 'not-sent' | 'delivered'): void {
		const { absences, state } = this.upstream.health;
		// One that answers slowly since, or that it is busy, is still the same daemon.
		const isWrong = this.#difference !== null && this.#toldAt === absences;
		if (state === 'wrong-chain' || isWrong) {
			throw this.error('daemon.wrong-chain', method, options, {
				delivery,
				difference: this.#difference
			});
		}
	}

	/**
	 * Refuses the answer of a daemon of another chain. One with another key, or with none, still tells of the chain.
	 * @throws {AppError} `daemon.wrong-chain`
	 */
	requireChain(options: CallOptions, method: string): void {
		if (this.#difference?.what !== 'pubkey') this.#requireRight(options, method, 'delivered');
	}

	/**
	 * Identifies the daemon by `getinfo`. Never rejects: failures are recorded in the health.
	 * @param timeoutMs of the request, unless one is under way
	 */
	identify(timeoutMs = this.#identifyMs): Promise<void> {
		this.#identifying ??= this.#identify(timeoutMs).finally(() => {
			this.#identifying = null;
		});
		return this.#identifying;
	}

	async #identify(timeoutMs: number): Promise<void> {
		const { absences } = this.upstream.health;
		try {
			const id = newCallId();
			const answer = await this.upstream.request({
				method: 'getinfo',
				body: requestText('getinfo', '[]', id),
				id,
				maxBytes: daemonMethods.getinfo.answer.bytes,
				timeoutMs,
				priority: 'interactive',
				retry: false,
				acts: false,
				ownConnection: false
			});
			this.#learn(readIdentity(answer), absences);
		} catch (error) {
			if (!isAppError(error, 'daemon')) throw error;
		} finally {
			this.#asked = true;
		}
	}

	/**
	 * Records the identity of the daemon and whether it matches the configuration.
	 * @param absences value of `health.absences` when it was requested
	 */
	#learn(identity: DaemonIdentity | null, absences: number): void {
		this.#toldAt = absences;
		if (identity === null) return;
		const { health } = this.upstream;
		this.#identity = identity;
		this.#confirmedAt = null;
		// Nothing that was configured can be compared.
		if (identity === UNTOLD) {
			this.#difference = null;
			if (health.state === 'wrong-chain') health.enter('up', null);
			return;
		}
		const wrong = difference(this.config, identity);
		if (wrong === null) this.#confirmedAt = absences;
		this.#difference = wrong;
		if (wrong !== null) {
			const facts = { delivery: 'delivered', difference: wrong } as const;
			const { coded } = this.error('daemon.wrong-chain', 'getinfo', {}, facts);
			health.enter('wrong-chain', coded);
		} else if (health.state === 'wrong-chain') health.enter('up', null);
	}

	/**
	 * Checks who gave an answer to a read: while the daemon was away, one of another chain may have taken over its
	 * address.
	 * @throws {AppError} `daemon.wrong-chain`, or why the daemon cannot be asked
	 */
	#check(method: string, options: CallOptions): Awaitable<void> {
		// Nearly always it was told since: a read waits for nothing more then.
		if (this.#toldAt === this.upstream.health.absences) return this.requireChain(options, method);
		return this.#checkAnew(method, options);
	}

	async #checkAnew(method: string, options: CallOptions): Promise<void> {
		const { health } = this.upstream;
		// A request for the identity that is under way may have been sent before the absence. A daemon with a large
		// wallet, or one that reads blocks, takes long to add up the balance that is part of the answer.
		for (const timeoutMs of [this.#identifyMs, PATIENCE * this.#identifyMs]) {
			if (this.#toldAt !== health.absences) await this.identify(timeoutMs);
		}
		this.requireChain(options, method);
		if (this.#toldAt === health.absences) return;
		const { reason } = health;
		// A starting daemon answers `help` and batches, whose items are refusals, and cannot say who it is.
		if (reason?.code === 'daemon.warming-up') return;
		if (reason !== null) throw AppError.of(reason);
		throw this.error('daemon.busy', method, options, { delivery: 'delivered' });
	}

	/** Whether the daemon, when last asked, lacked many blocks that its peers have. */
	get isBehind(): boolean {
		return (this.#identity?.lacks ?? 0) > BEHIND;
	}

	/** Whether the daemon has a wallet; true until it is known to have none. */
	get hasWallet(): boolean {
		return this.#identity?.hasWallet ?? true;
	}

	get #confirmed(): boolean {
		return this.#confirmedAt === this.upstream.health.absences;
	}

	/** Whether the next poll should follow soon. */
	get wantsPoll(): boolean {
		return !this.#confirmed || this.upstream.health.state !== 'up';
	}

	/** Ends the sharing of the reads under way: their answers may be older than the effect of a call. */
	readonly #changed = (): void => this.#shared.clear();

	/**
	 * Makes one call. Identical reads that are under way share one request, unless a call that may change
	 * something ended in between.
	 * @throws {AppError} `daemon`
	 */
	call(call: DaemonCall, options: CallOptions): Promise<RawAnswer> {
		if (!call.read) {
			const answer = this.#start(call, options, () => undefined).finally(this.#changed);
			const sent: Shared = { answer, lastTry: null };
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
		const ended = (): void => {
			if (this.#shared.get(key) === shared) this.#shared.delete(key);
		};
		shared.answer.then((answer) => {
			ended();
			if (call.final && answer.status === 200) this.#final.set(key, answer);
		}, ended);
		return this.#waitForRead(shared, options, call.method);
	}

	#waitForRead(shared: Shared, options: CallOptions, method: string): Promise<RawAnswer> {
		const { timeout } = options;
		return timeout === undefined || !this.upstream.health.isAway
			? this.#withTimeout(shared.answer, options, method, shared)
			: this.#waitBriefly(shared, options, method, timeout);
	}

	/** Waits only briefly for a daemon that has been away for a while. The read itself continues. */
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
			// The reason why the daemon is away tells the caller more than the timeout.
			if (reason === null || !isAppError(cause, 'daemon.timeout')) throw cause;
			throw AppError.of(reason, { cause });
		}
	}

	/** Sends several calls as one request, without retry. @throws {AppError} `daemon` */
	async batch(
		body: string,
		limits: { timeoutMs: number; maxBytes: number; acts: boolean; beforeSend: () => Promise<void> },
		options: CallOptions
	): Promise<RawAnswer> {
		const sent = this.upstream
			.request({
				...limits,
				method: 'batch',
				body,
				id: null,
				priority: options.priority ?? 'interactive',
				requestId: options.requestId,
				retry: false,
				ownConnection: true
			})
			.finally(this.#changed);
		const answer = limits.acts
			? sent
			: sent.then(async (read) => {
					await this.#check('batch', options);
					return read;
				});
		answer.catch(() => undefined);
		return this.#withTimeout(answer, options, 'batch', null);
	}

	/** Caches the raw bytes of a transaction that no reorganization can undo any more. */
	keepTransaction(txid: string, hex: string): void {
		const before = `{"result":"${hex}","error":null,"id":`;
		const body = Buffer.from(`${before}${BUILT_ID}}\n`, 'latin1');
		const id = { start: before.length, end: before.length + BUILT_ID.length };
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
		const { absences } = this.upstream.health;
		const answer = await this.upstream.request({
			method: call.method,
			body: requestText(call.method, call.paramsText, id),
			id,
			maxBytes: call.limit.bytes,
			timeoutMs: call.timeoutMs,
			priority: options.priority ?? 'interactive',
			requestId: options.requestId,
			retry: call.retry,
			acts: call.beforeSend !== undefined,
			ownConnection: call.limit.grows,
			onTry,
			beforeSend: call.beforeSend
		});
		this.upstream.health.unknownRefusals.note(call.method, answer);
		if (call.read && call.method === 'getinfo') this.#learn(readIdentity(answer), absences);
		else if (call.read) {
			const checked = this.#check(call.method, options);
			if (checked instanceof Promise) await checked;
		}
		return answer;
	}

	/** Marks the daemon as busy when a caller stopped waiting, long before the deadline of the call itself. */
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
			// Without a shared call only the identification was awaited, so nothing was sent.
			const delivery = shared === null && method !== 'batch' ? 'not-sent' : 'unknown';
			const error = this.error('daemon.timeout', method, options, { delivery });
			this.#noteSlow(timeout, error);
			throw error;
		}
	}
}
