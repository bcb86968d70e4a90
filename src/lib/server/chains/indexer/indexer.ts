/** Follows all configured chains while this process holds the lease. */
import { setTimeout as wait } from 'node:timers/promises';
import { newOwner } from '../../platform/jobs/owner.ts';
import { ensureChain } from './chains.ts';
import { Lease, LEASE_MS, LeaseLost } from './lease.ts';
import type { Index } from './open.ts';
import { Recall } from './recall.ts';
import { SourceError, type ChainSource } from './source.ts';
import { ChainSync } from './sync.ts';

/** Why a chain is not followed, where the reason is none of its readers’. */
const IN_THE_LOG = 'The index could not be brought up to date; the log has the reason.';

interface IndexerParts {
	index: Index;
	/** Names of the chains to follow. */
	chains: readonly string[];
	source(chain: string): ChainSource;
	/** First height to index by chain; genesis where it is not named. */
	startHeights?: ReadonlyMap<string, number>;
	/** Milliseconds between two looks at a chain that has nothing new. */
	pollMs?: number;
	/** Why the index must not grow now, as a sentence; null while it may. */
	room?: (() => Promise<string | null>) | undefined;
	onWrite?: (chain: string, height: number) => void;
	onError?: (error: unknown) => void;
}

interface Indexer {
	start(): void;
	/** Looks at the chains without waiting for the next poll. */
	nudge(): void;
	/** Ends after the batches in hand and gives the lease up. */
	stop(): Promise<void>;
}

const POLL_MS = 1_000;
/** After a failure the waits double from one to the other, in milliseconds. */
const RETRY_MS = { first: 1_000, last: 30_000 };

export function createIndexer(parts: IndexerParts): Indexer {
	const { index, chains, pollMs = POLL_MS, onError = () => undefined } = parts;
	const lease = new Lease(index, newOwner());
	const stopping = new AbortController();
	const { signal } = stopping;
	/** Ends the wait of a chain's loop early. */
	const wakers = new Map<string, () => void>();
	let work: Promise<unknown> = Promise.resolve();

	const startOf = (chain: string): number => parts.startHeights?.get(chain) ?? 0;

	async function pause(ms: number, key: string): Promise<void> {
		const woken = new AbortController();
		wakers.set(key, () => woken.abort());
		await wait(ms, undefined, {
			signal: AbortSignal.any([signal, woken.signal]),
			ref: false
		}).catch(() => undefined);
		wakers.delete(key);
	}

	async function follow(chain: string, lost: AbortController): Promise<void> {
		const stopped = (): boolean => signal.aborted || lost.signal.aborted;
		let sync: ChainSync | null = null;
		const recall = new Recall();
		let retry = RETRY_MS.first;
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
				await sync.catchUp(stopped);
				retry = RETRY_MS.first;
				await pause(pollMs, chain);
			} catch (error) {
				if (error instanceof LeaseLost) return lost.abort();
				onError(error);
				// What visitors read, too: words of other errors may name addresses and files.
				const words = error instanceof SourceError ? error.message : IN_THE_LOG;
				await sync?.noteProblem(words).catch(onError);
				const isFull = error instanceof SourceError && error.code === 'no-room';
				// What its log holds is given back to everything else.
				if (isFull) await index.shrinkLog().catch(onError);
				// What was in memory may not be what was written.
				sync = null;
				await pause(retry, chain);
				retry = Math.min(RETRY_MS.last, retry * 2);
			}
		}
	}

	async function run(): Promise<void> {
		while (!signal.aborted) {
			let held = false;
			try {
				held = await lease.take();
			} catch (error) {
				onError(error);
			}
			if (held) {
				const lost = new AbortController();
				const renewing = setInterval(() => {
					lease.take().then((ours) => {
						if (!ours) lost.abort();
					}, onError);
				}, LEASE_MS / 3);
				renewing.unref();
				try {
					// One after the other, so that each gets a number of its own.
					for (const chain of chains) await ensureChain(index, chain, startOf(chain));
					await Promise.all(chains.map((chain) => follow(chain, lost)));
				} catch (error) {
					onError(error);
				}
				clearInterval(renewing);
			}
			if (!signal.aborted) await pause(LEASE_MS / 3, '');
		}
		await lease.release().catch(onError);
	}

	return {
		start() {
			work = run();
		},
		nudge() {
			for (const wake of wakers.values()) wake();
		},
		async stop() {
			stopping.abort();
			await work;
		}
	};
}
