import { isAppError } from '../../platform/errors/appError.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DaemonMethod, DaemonParams, DaemonResult } from '#lib/rpc/daemon/index.ts';
import type { DaemonInfo, Gateway } from '#lib/server/chains/daemon/types.ts';
import { LastKnown } from './memory.ts';
import { fresh, missing, stale, type Known, type Piece } from './piece.ts';
import { problemOf, saysNone } from './problem.ts';
import { unreadBlocks } from './unread.ts';
import { daemonError, type DaemonError } from '../daemon/daemonError.ts';

/** Milliseconds of a page spent waiting for daemons: it is to answer within a second, whatever they do. */
const TIMEOUT_MS = 750;
const REMEMBERED_PIECES = 4_000;
/** Milliseconds that a page waits for an update of data that it already has, and the greatest age of that data. */
const PATIENCE_MS = 20;
const RECENT_MS = 5_000;
/** Milliseconds for which data at the same tip counts as current; pages are shared among visitors for as long. */
const SAME_MS = 1_000;

/** How recent a remembered answer must be. */
export interface Recency {
	/** Tip of the chain in the index; null when unknown. An answer read at another tip is outdated. */
	tip: string | null;
	/**
	 * Set for pages about many chains, to limit their calls: an answer of the last second at the same tip is not
	 * requested again, and a daemon that failed within the last second and is not online since is not waited for
	 * again.
	 */
	ofMany: boolean;
}

const keyOf = (chain: string, what: string): string => `${chain}\n${what}`;
/** Key of the piece that was shown instead when there was no answer. */
const vainOf = (key: string): string => `${key}\nin vain`;

/** Keyed by the gateway's `daemons` function, which views of the gateway for single users share. */
const memories = new WeakMap<Gateway['daemons'], LastKnown>();

function memoryOf(gateway: Gateway): LastKnown {
	let memory = memories.get(gateway.daemons);
	if (memory === undefined)
		memories.set(gateway.daemons, (memory = new LastKnown(REMEMBERED_PIECES)));
	return memory;
}

/** The calls of one page, which share one deadline and one request id. */
export class PageClient {
	readonly gateway: Gateway;
	readonly memory: LastKnown;
	/** Unix milliseconds when the page began. */
	readonly now: number;
	readonly #requestId: string;
	readonly #deadline: number;

	constructor(gateway: Gateway, requestId: string, now = Date.now()) {
		this.gateway = gateway;
		this.memory = memoryOf(gateway);
		this.now = now;
		this.#requestId = requestId;
		this.#deadline = performance.now() + TIMEOUT_MS;
	}

	/** Returns the daemon that is read for a chain; undefined when the chain is not configured. */
	daemon(chain: string): DaemonInfo | undefined {
		return this.gateway.daemonFor(chain, 'read') ?? this.gateway.daemonFor(chain, 'wallet');
	}

	/**
	 * Calls a method of the chain's daemon for reading, within the rest of the page's time.
	 * @throws {AppError} `daemon`
	 */
	call<M extends DaemonMethod>(
		chain: string,
		method: M,
		params: DaemonParams<M>
	): Promise<DaemonResult<M>> {
		return this.#call(chain, this.daemon(chain), method, params);
	}

	/** Calls a method of the daemon whose wallet pages use for this chain. @throws {AppError} `daemon` */
	callWallet<M extends DaemonMethod>(
		chain: string,
		method: M,
		params: DaemonParams<M>
	): Promise<DaemonResult<M>> {
		return this.#call(chain, this.gateway.daemonFor(chain, 'wallet'), method, params);
	}

	/**
	 * Calls a method of this very daemon, even if another one is preferred for its chain.
	 * @throws {AppError} `daemon`
	 */
	callDaemon<M extends DaemonMethod>(
		daemon: DaemonInfo,
		method: M,
		params: DaemonParams<M>
	): Promise<DaemonResult<M>> {
		return this.#call(daemon.chain, daemon, method, params);
	}

	#call<M extends DaemonMethod>(
		chain: string,
		daemon: DaemonInfo | undefined,
		method: M,
		params: DaemonParams<M>
	): Promise<DaemonResult<M>> {
		if (daemon === undefined)
			return Promise.reject(
				daemonError('daemon.unknown', { daemon: chain, method }, { delivery: 'not-sent' })
			);
		const timeout = Math.max(1, Math.round(this.#deadline - performance.now()));
		return this.gateway.call(daemon.id, method, params, { requestId: this.#requestId, timeout });
	}

	/**
	 * As {@link piece}, for data that may be some seconds old: if it was read that recently, a slow daemon does
	 * not delay the page, and its answer serves the next one. A daemon that is not online is awaited as usual.
	 */
	async recentPiece<T>(
		chain: string,
		what: string,
		collect: () => Promise<T>,
		kept: () => Promise<Known<T> | null>,
		{ tip, ofMany }: Recency
	): Promise<Piece<T>> {
		const key = keyOf(chain, what);
		const last = this.memory.recall<T>(key);
		// A page reloaded for a new block must not show the previous tip, since nothing would reload it again.
		const known = last?.tip === tip ? last : undefined;
		const isUp = this.daemon(chain)?.health.state === 'up';
		if (isUp && ofMany && known !== undefined && tip !== null && this.#isSame(known.at))
			return fresh(known.data, known.at);
		const inVain = isUp || !ofMany ? undefined : this.memory.recall<Piece<T>>(vainOf(key));
		if (inVain !== undefined && this.#isSame(inVain.at)) return inVain.data;
		const isRecent = known !== undefined && Math.abs(this.now - known.at) <= RECENT_MS;
		const reading = this.piece(chain, what, collect, kept, tip);
		if (!isRecent || !isUp) {
			const piece = await reading;
			if (ofMany && piece.state !== 'fresh') this.memory.remember(vainOf(key), piece, this.now);
			return piece;
		}
		const patience = new AbortController();
		return Promise.race([
			reading.finally(() => patience.abort()),
			sleep(PATIENCE_MS, fresh(known.data, known.at), { signal: patience.signal }).catch(
				() => reading
			)
		]);
	}

	/** Whether data of this moment counts as current. `abs`, because the clock may have been set back since. */
	#isSame(at: number): boolean {
		return Math.abs(this.now - at) <= SAME_MS;
	}

	/**
	 * Reads one piece of a page. If the daemon does not provide it now, the piece is the last known data or
	 * missing, each with the reason in words. When the daemon answered that there is no such thing, no older data
	 * is shown; but a daemon that has not synced its chain cannot say so, and the reason is then that it has not.
	 *
	 * @param what distinguishes this piece from others of the same chain
	 * @param kept reads the data without the daemon, in case nothing was read since the start
	 */
	async piece<T>(
		chain: string,
		what: string,
		collect: () => Promise<T>,
		kept: () => Promise<Known<T> | null> = () => Promise.resolve(null),
		tip: string | null = null
	): Promise<Piece<T>> {
		const key = keyOf(chain, what);
		try {
			const data = await collect();
			this.memory.remember(key, data, this.now, tip);
			return fresh(data, this.now);
		} catch (error) {
			const cause = saysNone(error) ? await this.#whyNone(chain, error) : error;
			const known = saysNone(cause)
				? undefined
				: (this.memory.recall<T>(key) ?? (await kept()) ?? undefined);
			const problem = problemOf(chain, cause, this.daemon(chain)?.health, known !== undefined);
			return known === undefined ? missing(problem) : stale(known.data, known.at, problem);
		}
	}

	/**
	 * Returns the error of a chain's daemon for reading that has not synced the chain; null when it has all blocks.
	 * @throws {AppError} `daemon`
	 */
	unreadBlocks(chain: string): Promise<DaemonError | null> {
		return unreadBlocks({
			daemon: this.daemon(chain)?.id ?? chain,
			call: (method, ...params) => this.call(chain, method, params)
		});
	}

	/** Returns the error by which the daemon denies something, or why it cannot tell. */
	async #whyNone(chain: string, denial: unknown): Promise<unknown> {
		try {
			return (await this.unreadBlocks(chain)) ?? denial;
		} catch (error) {
			// A daemon that refuses to tell, or tells it in an unknown form, still answered the question itself.
			return isAppError(error, 'daemon.rpc-error', 'daemon.validation-mismatch') ? denial : error;
		}
	}
}
