/**
 * Reads answers: small ones in the main thread, large ones in worker threads, so that a large answer delays only
 * its own caller. Memory and time of a worker are limited; a worker that ends affects only the answer that it was
 * reading.
 */
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { AppError } from '../../../platform/errors/appError.ts';
import { unpacked } from './crossing.ts';
import { measureJson } from './measure.ts';
import { read, type Reading, type ReadingOf, type Said } from './read.ts';

interface ReadersOptions {
	threads: number;
	/** Most answers, and their total bytes, that may wait for a thread. */
	queue: { answers: number; bytes: number };
	/** Milliseconds to read one answer. */
	timeoutMs: number;
	/** Heap limit of each thread, in MiB. */
	heapMb: number;
	/** Milliseconds after which an idle thread ends. */
	stayMs: number;
	/** Source file of the worker; default: `worker.ts`. */
	script?: URL | string;
}

const OPTIONS: ReadersOptions = {
	threads: 2,
	queue: { answers: 64, bytes: 256 * 1024 * 1024 },
	timeoutMs: 10_000,
	heapMb: 512,
	stayMs: 20_000
};

/**
 * Limits for reading in the main thread, which takes a few milliseconds: they fit what pages request every day. A
 * trading node's answer may have fewer values, because it is read again for each thing that is mended.
 */
const HERE = { bytes: 256 * 1024, values: 10_000, kdfValues: 2_000 };

/** Resolved by the package's own import name: the bundle of the pages lies elsewhere, and workers run the sources. */
const script = (): string =>
	createRequire(import.meta.url).resolve('#lib/server/chains/upstream/answers/worker.ts');

function isSmall({ kind, body }: Reading): boolean {
	if (body.length > HERE.bytes) return false;
	const most = kind === 'node' ? HERE.kdfValues : HERE.values;
	return measureJson(body, most).excess !== 'values';
}

interface Waiting {
	reading: Reading;
	resolve: (said: unknown) => void;
	reject: (error: unknown) => void;
}

interface Thread {
	worker: Worker;
	/** The answer that it reads now; null while idle. */
	job: (Waiting & { timer: NodeJS.Timeout }) | null;
	leaving: NodeJS.Timeout | undefined;
}

export class Readers {
	readonly #options: ReadersOptions;
	readonly #threads = new Set<Thread>();
	readonly #queue: Waiting[] = [];
	#bytes = 0;

	constructor(options: Partial<ReadersOptions> = {}) {
		this.#options = { ...OPTIONS, ...options };
	}

	/** Number of running threads. */
	get threads(): number {
		return this.#threads.size;
	}

	/**
	 * Reads an answer, in the main thread when it is small.
	 * @throws {AppError} `answer.readers-busy`, `answer.reading-failed`
	 */
	async read<K extends Reading['kind']>(reading: ReadingOf<K>): Promise<Said[K]> {
		return isSmall(reading) ? read<K>(reading) : this.away<K>(reading);
	}

	/**
	 * Reads an answer in a worker, however small it is.
	 * @throws {AppError} `answer.readers-busy`, `answer.reading-failed`
	 */
	away<K extends Reading['kind']>(reading: ReadingOf<K>): Promise<Said[K]> {
		const { answers, bytes } = this.#options.queue;
		const size = reading.body.length;
		if (this.#queue.length >= answers || this.#bytes + size > bytes) {
			return Promise.reject(new AppError('answer.readers-busy'));
		}
		const { promise, resolve, reject } = Promise.withResolvers<unknown>();
		this.#queue.push({ reading, resolve, reject });
		this.#bytes += size;
		this.#next();
		return promise as Promise<Said[K]>;
	}

	/** Ends all threads; the answers that they are reading fail. */
	async close(): Promise<void> {
		await Promise.all([...this.#threads].map(({ worker }) => worker.terminate()));
	}

	#next(): void {
		while (this.#queue.length > 0) {
			const idle = [...this.#threads].find(({ job }) => job === null);
			if (idle === undefined && this.#threads.size >= this.#options.threads) return;
			const waiting = this.#queue.shift()!;
			this.#bytes -= waiting.reading.body.length;
			this.#begin(idle ?? this.#start(), waiting);
		}
	}

	#begin(thread: Thread, waiting: Waiting): void {
		clearTimeout(thread.leaving);
		// The exit handler rejects the answer.
		const timer = setTimeout(() => void thread.worker.terminate(), this.#options.timeoutMs);
		thread.job = { ...waiting, timer };
		thread.worker.ref();
		const { body } = waiting.reading;
		// The body is copied, because others may still use its bytes and a small buffer lies in a shared pool. The
		// copy is transferred, which is cheaper than the clone that a message would make.
		const own = new Uint8Array(body);
		thread.worker.postMessage({ ...waiting.reading, body: own }, [own.buffer]);
	}

	#start(): Thread {
		const { heapMb, stayMs, script: other } = this.#options;
		const worker = new Worker(other ?? script(), {
			resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 16 }
		});
		const thread: Thread = { worker, job: null, leaving: undefined };
		this.#threads.add(thread);
		worker.on('message', (said: unknown) => {
			const { job } = thread;
			if (job === null) return;
			clearTimeout(job.timer);
			thread.job = null;
			worker.unref();
			thread.leaving = setTimeout(() => void worker.terminate(), stayMs);
			thread.leaving.unref();
			job.resolve(unpacked(said));
			this.#next();
		});
		let fault: unknown;
		// Out of memory, or a bug in the reader: `exit` follows.
		worker.on('error', (error) => (fault = error));
		worker.on('exit', () => {
			this.#threads.delete(thread);
			clearTimeout(thread.leaving);
			const { job } = thread;
			thread.job = null;
			if (job !== null) {
				clearTimeout(job.timer);
				job.reject(new AppError('answer.reading-failed', {}, { cause: fault }));
			}
			this.#next();
		});
		return thread;
	}
}

/** The readers of this process. */
export const readers = new Readers();
