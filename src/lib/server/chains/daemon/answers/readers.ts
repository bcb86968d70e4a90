/**
 * Reads answers: small ones here, others in threads of their own, so that nobody waits for a large one but who
 * asked for it. What such a thread may take of memory and time is bounded; one that ends takes nothing with it.
 */
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { AppError } from '../../../platform/errors/appError.ts';
import { unpacked } from './crossing.ts';
import { measureJson } from './measure.ts';
import { read, type Reading, type ReadingOf, type Said } from './read.ts';

interface ReadersOptions {
	threads: number;
	/** Answers that may wait for a thread, and their bytes. */
	queue: { answers: number; bytes: number };
	/** Milliseconds for one answer. */
	timeoutMs: number;
	/** Of each thread. */
	heapMb: number;
	/** Milliseconds after which a thread without work ends. */
	stayMs: number;
	/** Where the code of a thread is. */
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
 * Answers that are read here: what pages ask for every day, in a few milliseconds. Of a node's fewer values,
 * because one that does not fit is read again with each thing that is mended.
 */
const HERE = { bytes: 256 * 1024, values: 10_000, kdfValues: 2_000 };

/** By the package's own names: the bundle of the pages is elsewhere, and threads run the sources. */
const script = (): string =>
	createRequire(import.meta.url).resolve('#lib/server/chains/daemon/answers/worker.ts');

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
	/** What it reads now. */
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

	/** How many threads there are now. */
	get threads(): number {
		return this.#threads.size;
	}

	/**
	 * What an answer says, read here when it is small.
	 * @throws {AppError} `answer.readers-busy`, `answer.reading-failed`
	 */
	async read<K extends Reading['kind']>(reading: ReadingOf<K>): Promise<Said[K]> {
		return isSmall(reading) ? read<K>(reading) : this.away<K>(reading);
	}

	/** The same in a thread, however small. @throws {AppError} `answer.readers-busy`, `answer.reading-failed` */
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

	/** Ends all threads; what they read fails. */
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
		// What ends a thread is told by its end.
		const timer = setTimeout(() => void thread.worker.terminate(), this.#options.timeoutMs);
		thread.job = { ...waiting, timer };
		thread.worker.ref();
		const { body } = waiting.reading;
		// A copy of its own: others may still hand on the bytes, and a small one lies in shared memory.
		// It is handed over, which costs less than the copies that a message would make of it.
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
		// Out of memory, or a fault of ours: the end follows.
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

/** Those of this process. */
export const readers = new Readers();
