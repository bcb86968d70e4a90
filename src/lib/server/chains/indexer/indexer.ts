/** Indexes all configured chains while this process holds the lease. */
import type { CodedError } from '#lib/messages/errors/index.ts';
import { backOff } from '../../platform/async/backOff.ts';
import { sleep } from '../../platform/async/sleep.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import type { Bound } from '../../platform/jobs/clock.ts';
import { RowLeases } from '../../platform/jobs/rows.ts';
import { Runner, type Held } from '../../platform/jobs/runner.ts';
import type { IndexTrx } from './bulk.ts';
import { ensureChain } from './chains.ts';
import type { Index } from './open.ts';
import { allOrders, type Orders } from './orders.ts';
import { Recall } from './recall.ts';
import type { ChainSource } from './source.ts';
import { ChainSync, type SyncParts } from './sync.ts';

interface IndexerParts {
	index: Index;
	/** Names of the chains to index. */
	chains: readonly string[];
	source(chain: string): ChainSource;
	/** First height to index, by chain; default: the genesis block. */
	startHeights?: ReadonlyMap<string, number>;
	/** Milliseconds between two polls of a chain without new blocks. */
	pollMs?: number;
	/** Returns the free disk space and the reserve that the index must leave; see {@link SyncParts}. */
	room?: SyncParts['room'] | undefined;
	onWrite?: (chain: string, height: number) => void;
	onError?: (error: unknown) => void;
}

interface Indexer {
	start(): void;
	/** Polls all chains now instead of at the next interval. */
	nudge(): void;
	/** Stops after the current batches and releases the lease. */
	stop(): Promise<void>;
}

const POLL_MS = 1_000;
/** Limit of stored lease times, in milliseconds: longer than an unrenewed lease, and than the pause after an error. */
export const LEASE_BOUND: Bound = {
	table: 'ix_lease',
	column: 'lease_until',
	longest: 60_000,
	shared: true
};

/** The lease that a process needs to write the index. */
export const indexLeases = (index: Index, clock?: () => number): RowLeases =>
	new RowLeases({ db: index, table: 'ix_lease', clock });

/** Key by which a problem is logged once: details of single calls and the free bytes change with each poll. */
const kindOf = ({ code, params }: CodedError): string =>
	'call' in params ? `${code} ${params.call.code}` : code;

export function createIndexer(parts: IndexerParts): Indexer {
	const { index, chains, pollMs = POLL_MS, onError = () => undefined } = parts;
	/** Ends the pause of a chain's loop early. */
	const wakers = new Map<string, AbortController>();
	/** Whether this process holds the index lease: then no row can become due, so polling is needless. */
	let holds = false;
	/** Orders of all chains as last read, and when that query began (monotonic clock, milliseconds). */
	let known: { at: number; orders: ReadonlyMap<string, Orders> } | null = null;

	const startOf = (chain: string): number => parts.startHeights?.get(chain) ?? 0;

	async function pause(ms: number, chain: string, over: AbortSignal): Promise<void> {
		const woken = new AbortController();
		wakers.set(chain, woken);
		await sleep(ms, AbortSignal.any([over, woken.signal]));
		wakers.delete(chain);
	}

	/** Polls the orders of all chains with one query, and wakes the chains whose orders have changed. */
	async function watchOrders(over: AbortSignal): Promise<void> {
		while (!over.aborted) {
			const at = performance.now();
			// If the query fails, each chain reads its own orders, and reports the error.
			const orders = await allOrders(index).catch(() => null);
			for (const [chain, { paused, reindexFrom }] of orders ?? []) {
				const before = known?.orders.get(chain);
				if (before?.paused !== paused || before.reindexFrom !== reindexFrom) {
					wakers.get(chain)?.abort();
				}
			}
			known = orders && { at, orders };
			await sleep(pollMs, over);
		}
	}

	async function follow(chain: string, held: Held, lost: AbortController): Promise<void> {
		const over = AbortSignal.any([held.signal, lost.signal]);
		const stopped = (): boolean => over.aborted;
		const lease = { renew: ({ trx }: IndexTrx) => held.keep(trx) };
		let sync: ChainSync | null = null;
		const recall = new Recall();
		let failures = 0;
		/** Kind of the last logged problem, so that an offline daemon is logged once and not at each poll. */
		let told: string | null = null;
		let endedAt = Infinity;
		while (!stopped()) {
			try {
				sync ??= new ChainSync(await ensureChain(index, chain, startOf(chain)), {
					index,
					source: parts.source(chain),
					lease,
					...(parts.room ? { room: parts.room } : {}),
					recall,
					...(parts.onWrite ? { onWrite: parts.onWrite } : {})
				});
				// Orders that were read before the last catch-up ended may have been executed by it.
				const ordered = known !== null && known.at > endedAt ? known.orders.get(chain) : undefined;
				endedAt = Infinity;
				await sync.catchUp(stopped, ordered);
				endedAt = performance.now();
				failures = 0;
				told = null;
				await pause(pollMs, chain, over);
			} catch (error) {
				if (isAppError(error, 'lease')) return lost.abort();
				const problem: CodedError = isAppError(error, 'indexer')
					? error.coded
					: { code: 'indexer.failed', params: {} };
				const kind = kindOf(problem);
				if (problem.code === 'indexer.failed' || kind !== told) onError(error);
				told = kind;
				await sync?.noteProblem(problem).catch(onError);
				const isFull = isAppError(error, 'indexer.no-room');
				// Frees the disk space of the write-ahead log.
				if (isFull) await index.shrinkLog().catch(onError);
				// The state in memory may differ from what was written.
				sync = null;
				failures += 1;
				await pause(backOff(failures), chain, over);
			}
		}
	}

	async function followAll(held: Held): Promise<void> {
		holds = true;
		await followHeld(held).finally(() => (holds = false));
	}

	async function followHeld(held: Held): Promise<void> {
		const lost = new AbortController();
		// One after the other, so that each chain gets a different id.
		for (const chain of chains) await ensureChain(index, chain, startOf(chain));
		const over = new AbortController();
		const watching = watchOrders(AbortSignal.any([held.signal, over.signal]));
		await Promise.all(chains.map((chain) => follow(chain, held, lost)));
		over.abort();
		await watching;
	}

	const runner = new Runner({
		leases: indexLeases(index),
		maxConcurrency: 1,
		step: followAll,
		news: () => (holds ? 0 : null),
		onError
	});
	return {
		start: () => runner.start(),
		nudge() {
			known = null;
			for (const woken of wakers.values()) woken.abort();
		},
		stop: () => runner.stop()
	};
}
