/**
 * Sources in a thread of their own while there is much to fetch: while one batch is written here, the next
 * ones come in, are parsed and hashed there. Blocks come over without a copy.
 */
import { Worker } from 'node:worker_threads';
import type { CodedError, CodesOf } from '#lib/messages/errors/index.ts';
import { AppError } from '../../platform/errors/appError.ts';
import { unpackBlocks, type PackedBlocks } from './rawBlocks.ts';
import type { ChainSource } from './source.ts';

/** A question to the fetching thread. */
export interface FetchQuestion {
	id: number;
	chain: string;
	method: keyof ChainSource;
	args: unknown[];
}

export type FetchAnswer =
	/** The thread has begun. */
	| { ready: true }
	| { id: number; result: unknown }
	| { id: number; error: { coded: CodedError<CodesOf<'indexer'>> | null; message: string } };

/** Where the indexer's chains come from. */
export interface Sources {
	source(chain: string): ChainSource;
	close(): Promise<void>;
}

interface Waiting {
	resolve(result: unknown): void;
	reject(error: unknown): void;
}

/** A thread that answers questions. */
interface Fetcher {
	ask<T>(chain: string, method: keyof ChainSource, args: unknown[]): Promise<T>;
	/** Whether it has begun, which takes as long as thousands of blocks. */
	ready(): boolean;
	/** Whether a question waits for its answer. */
	busy(): boolean;
	/** Ends it; questions that it has not answered fail. */
	end(): Promise<void>;
}

/** With a limit of its own a thread that runs out of memory ends alone. */
const HEAP_MB = 1024;

function startFetcher(onError: (error: unknown) => void, onEnd: () => void): Fetcher {
	const thread = new Worker(new URL('./fetcher.ts', import.meta.url), {
		resourceLimits: { maxOldGenerationSizeMb: HEAP_MB }
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

/** Blocks at once from which on a thread of its own is worth the memory that it takes, some 40 MB. */
const MANY = 100;
/** How long it stays behind the last of such questions, in milliseconds. */
const STAY_MS = 5_000;

/**
 * Sources that ask from this thread while there is little to ask, and from another one, which reads its own
 * configuration, while a chain is far behind. `onError` is told when that one ends by a fault.
 *
 * @param near what asks from this thread
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

	/** The other thread, once it has begun. */
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
			/** While there are two threads the other one asks, so that a daemon's calls stay few. */
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
