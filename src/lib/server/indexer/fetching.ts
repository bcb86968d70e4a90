/**
 * Sources in a thread of their own: while one batch is written here, the next ones come in, are parsed and
 * hashed there. Blocks come over without a copy.
 */
import { Worker } from 'node:worker_threads';
import { SourceError, type ChainSource, type SourceErrorCode } from './source.ts';

/** A question to the fetching thread. */
export interface FetchQuestion {
	id: number;
	chain: string;
	method: keyof ChainSource;
	args: unknown[];
}

export type FetchAnswer =
	| { id: number; result: unknown }
	| { id: number; error: { code: SourceErrorCode | null; message: string } };

/** Where the indexer's chains come from. */
export interface Sources {
	source(chain: string): ChainSource;
	close(): Promise<void>;
}

interface Waiting {
	resolve(result: unknown): void;
	reject(error: unknown): void;
}

/** Starts the thread, which reads its own configuration. `onError` is told when it ends by a fault. */
export function startFetching(onError: (error: unknown) => void): Sources {
	const thread = new Worker(new URL('./fetcher.ts', import.meta.url));
	const waiting = new Map<number, Waiting>();
	let last = 0;

	thread.on('message', (answer: FetchAnswer) => {
		const asked = waiting.get(answer.id);
		waiting.delete(answer.id);
		if ('result' in answer) asked?.resolve(answer.result);
		else {
			const { code, message } = answer.error;
			asked?.reject(code === null ? new Error(message) : new SourceError(code, message));
		}
	});
	thread.on('error', onError);
	thread.on('exit', () => {
		for (const { reject } of waiting.values()) {
			reject(new SourceError('unreachable', 'Fetching ended before the answer came.'));
		}
		waiting.clear();
	});

	function ask<T>(chain: string, method: keyof ChainSource, args: unknown[]): Promise<T> {
		const id = ++last;
		const { promise, resolve, reject } = Promise.withResolvers<unknown>();
		waiting.set(id, { resolve, reject });
		thread.postMessage({ id, chain, method, args } satisfies FetchQuestion);
		return promise as Promise<T>;
	}

	return {
		source: (chain) => ({
			tip: () => ask(chain, 'tip', []),
			height: () => ask(chain, 'height', []),
			hashAt: (height) => ask(chain, 'hashAt', [height]),
			blocks: (from, count) => ask(chain, 'blocks', [from, count]),
			verboseBlock: (height) => ask(chain, 'verboseBlock', [height]),
			notarized: (heights) => ask(chain, 'notarized', [heights])
		}),
		async close() {
			const ended = new Promise<void>((done) => thread.once('exit', () => done()));
			thread.postMessage('stop');
			await ended;
		}
	};
}
