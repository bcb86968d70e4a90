import { setTimeout as sleep } from 'node:timers/promises';
import type { DaemonMethod, DaemonParams, DaemonResult } from '#lib/rpc/daemon/index.ts';
import type { DaemonInfo, Gateway } from '#lib/server/chains/daemon/types.ts';
import { LastKnown } from './memory.ts';
import { fresh, missing, stale, type Known, type Piece } from './piece.ts';
import { problemOf, saysNone } from './problem.ts';
import { daemonError } from '../daemon/daemonError.ts';

/** A page answers within a second whatever the daemons do; this much of it may go into waiting for them. */
const TIMEOUT_MS = 750;
const REMEMBERED_PIECES = 4_000;
/** How long a page waits for news of what it knows already, and how old that may be. */
const PATIENCE_MS = 20;
const RECENT_MS = 5_000;
/** How long what was read is as good as new, while the chain has the same tip: visitors share pages as long. */
const SAME_MS = 1_000;

/** How recent what was read before has to be. */
export interface Recency {
	/** The tip of the chain as the index knows it; null where it does not. What was read at another one is old. */
	tip: string | null;
	/**
	 * Of a page of many chains, so that such pages ask as many questions once: what was read within a second at the same
	 * tip is not asked for again, and who gave no answer within a second and is not online since is not waited for again.
	 */
	ofMany: boolean;
}

const keyOf = (chain: string, what: string): string => `${chain}\n${what}`;
/** Where that stands which was shown instead, when there was no answer. */
const vainOf = (key: string): string => `${key}\nin vain`;

/** By the gateway's own function: a person's view of the gateway shares it. */
const memories = new WeakMap<Gateway['daemons'], LastKnown>();

function memoryOf(gateway: Gateway): LastKnown {
	let memory = memories.get(gateway.daemons);
	if (memory === undefined)
		memories.set(gateway.daemons, (memory = new LastKnown(REMEMBERED_PIECES)));
	return memory;
}

/** The questions that one page asks: they share one deadline and one request id. */
export class PageClient {
	readonly gateway: Gateway;
	readonly memory: LastKnown;
	/** Unix milliseconds of the page's beginning. */
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

	/** The daemon that is read for a chain; undefined when the chain is not configured. */
	daemon(chain: string): DaemonInfo | undefined {
		return this.gateway.daemonFor(chain, 'read') ?? this.gateway.daemonFor(chain, 'wallet');
	}

	/**
	 * Calls a method on the chain's daemon for reading, within what is left of the page's time.
	 * @throws {AppError} `daemon`
	 */
	call<M extends DaemonMethod>(
		chain: string,
		method: M,
		params: DaemonParams<M>
	): Promise<DaemonResult<M>> {
		return this.#call(chain, this.daemon(chain), method, params);
	}

	/**
	 * Calls a method on the daemon whose wallet pages use for this chain.
	 * @throws {AppError} `daemon`
	 */
	callWallet<M extends DaemonMethod>(
		chain: string,
		method: M,
		params: DaemonParams<M>
	): Promise<DaemonResult<M>> {
		return this.#call(chain, this.gateway.daemonFor(chain, 'wallet'), method, params);
	}

	/**
	 * Calls a method on this daemon, whatever else answers for its chain.
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
	 * The same as `piece`, for what may be some seconds old: where it was read that recently, a slow daemon makes
	 * no page wait, and its answer is there for the next one. A daemon that is not online is asked as ever.
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
		// A page that was called by a new block must not show the one before it: nothing would call it again.
		const known = last?.tip === tip ? last : undefined;
		const isUp = this.daemon(chain)?.health.state === 'up';
		if (isUp && ofMany && known !== undefined && tip !== null && this.#isSame(known.at))
			return fresh(known.data, known.at);
		const inVain = isUp || !ofMany ? undefined : this.memory.recall<Piece<T>>(vainOf(key));
		if (inVain !== undefined && this.#isSame(inVain.at)) return inVain.data;
		const isRecent = known !== undefined && this.now - known.at <= RECENT_MS;
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

	/** Whether something of this moment is as good as new. The clock may have been set back since. */
	#isSame(at: number): boolean {
		return Math.abs(this.now - at) <= SAME_MS;
	}

	/**
	 * One block of data of a page. When the daemon does not give it now, it is what was last known, or
	 * missing, each with the reason in words. A refusal (the daemon answered that there is no such thing)
	 * is never papered over with something older.
	 *
	 * @param what distinguishes this piece from others of the same chain
	 * @param kept what is known without the daemon, for when nothing was read of it since the start
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
			const known = saysNone(error)
				? undefined
				: (this.memory.recall<T>(key) ?? (await kept()) ?? undefined);
			const problem = problemOf(chain, error, this.daemon(chain)?.health, known !== undefined);
			return known === undefined ? missing(problem) : stale(known.data, known.at, problem);
		}
	}
}
