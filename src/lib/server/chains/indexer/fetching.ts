/**
 * Runs the sources in a separate thread while there is much to fetch: it receives, parses and hashes the next
 * batches while the indexer writes one. Blocks are transferred between the threads without a copy.
 */
import { Worker } from 'node:worker_threads';
import type { CodedError, CodesOf } from '#lib/messages/errors/index.ts';
import { AppError } from '../../platform/errors/appError.ts';
import { unpackBlocks, type PackedBlocks } from './rawBlocks.ts';
import type { ChainSource } from './source.ts';

/** A request to the fetching thread. */
export interface FetchQuestion {
	id: number;
	chain: string;
	method: keyof ChainSource;
	args: unknown[];
}

export type FetchAnswer =
	/** The thread has started. */
	| { ready: true }
	| { id: number; result: unknown }
	| { id: number; error: { coded: CodedError<CodesOf<'indexer'>> | null; message: string } };

/** Provides the source of each chain. */
export interface Sources {
	source(chain: string): ChainSource;
	close(): Promise<void>;
}

interface Waiting {
	resolve(result: unknown): void;
	reject(error: unknown): void;
}

/** The fetching thread. */
interface Fetcher {
	ask<T>(chain: string, method: keyof ChainSource, args: unknown[]): Promise<T>;
	/** Whether the thread has started, which takes as long as fetching thousands of blocks. */
	ready(): boolean;
	/** Whether a request is unanswered. */
	busy(): boolean;
	/** Ends the thread; unanswered requests fail. */
	end(): Promise<void>;
}

/** With its own heap limit in MiB, a thread that runs out of memory ends without ending the process. */
const HEAP_MB = 1024;

function startFetcher(onError: (error: unknown) => void, onEnd: () => void): Fetcher {
	const thread = new Worker(new URL('./fetcher.ts', import.meta.url), {
		resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: 16 }
	});
	const waiting = new Map<number, Waiting>();
	let last = 0;
	let ready = false;

	thread.on('message', (answer: FetchAnswer) => {
		if ('ready' in answer) {
			ready = true;
			return;
		}
		const asked = waiting.get(answer.id);
		waiting.delete(answer.id);
		if ('result' in answer) asked?.resolve(answer.result);
		else {
			const { coded, message } = answer.error;
			asked?.reject(coded === null ? new Error(message) : AppError.of(coded));
		}
	});
	thread.on('error', onError);
	const ended = new Promise<void>((done) => thread.once('exit', () => done()));
	void ended.then(() => {
		onEnd();
		for (const { reject } of waiting.values()) {
			reject(new AppError('indexer.stopped'));
		}
	});

	return {
		ask<T>(chain: string, method: keyof ChainSource, args: unknown[]) {
			const id = ++last;
			const { promise, resolve, reject } = Promise.withResolvers<unknown>();
			waiting.set(id, { resolve, reject });
			thread.postMessage({ id, chain, method, args } satisfies FetchQuestion);
			return promise as Promise<T>;
		},
		ready: () => ready,
		busy: () => waiting.size > 0,
		end() {
			thread.postMessage('stop');
			return ended;
		}
	};
}

/** Batch size from which a separate thread is worth the memory that it takes, some 40 MB. */
const MANY = 100;
/** Milliseconds that the thread stays after the last batch of this size. */
const STAY_MS = 5_000;

/**
 * Creates sources that query daemons from this thread while there is little to fetch, and from a second thread,
 * which loads the configuration itself, while a chain is far behind. `onError` is called when that thread fails.
 *
 * @param near creates a source that queries from this thread
 */
export function createSources(
	near: (chain: string) => ChainSource,
	onError: (error: unknown) => void
): Sources {
	let far: Fetcher | null = null;
	let leaving: NodeJS.Timeout | undefined;

	async function leave(): Promise<void> {
		const thread = far;
		far = null;
		await thread?.end();
	}

	/** The second thread; null until it has started. */
	const begun = (): Fetcher | null => (far?.ready() ? far : null);

	function stay(): void {
		clearTimeout(leaving);
		leaving = setTimeout(() => void (far?.busy() ? stay() : leave()), STAY_MS);
		leaving.unref();
		if (far) return;
		const started = startFetcher(onError, () => {
			if (far === started) far = null;
		});
		far = started;
	}

	return {
		source(chain) {
			const here = near(chain);
			/** The second thread, once started, makes all calls, so that a daemon gets few at a time. */
			const ask = <T>(method: keyof ChainSource, args: unknown[], local: () => Promise<T>) =>
				begun()?.ask<T>(chain, method, args) ?? local();
			return {
				tip: () => ask('tip', [], () => here.tip()),
				height: () => ask('height', [], () => here.height()),
				ccid: () => ask('ccid', [], () => here.ccid()),
				confirm: () => ask('confirm', [], () => here.confirm()),
				hashAt: (height) => ask('hashAt', [height], () => here.hashAt(height)),
				async blocks(from, count, shared) {
					if (count >= MANY) stay();
					const asked = begun();
					if (!asked) return here.blocks(from, count, shared);
					return unpackBlocks(
						await asked.ask<PackedBlocks>(chain, 'blocks', [from, count, shared])
					);
				},
				verboseBlock: (height) => ask('verboseBlock', [height], () => here.verboseBlock(height)),
				notarized: (candidates) => ask('notarized', [candidates], () => here.notarized(candidates)),
				signers: (heights) => ask('signers', [heights], () => here.signers(heights))
			};
		},
		close() {
			clearTimeout(leaving);
			return leave();
		}
	};
}
