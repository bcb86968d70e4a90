/**
 * Asks again and again while hostile answers come in, and keeps the longest wait since it was asked for. In a
 * thread of its own: whoever makes fifty megabytes for an answer cannot measure how long others wait meanwhile.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

export class AnswerProber {
	readonly #worker: Worker;

	constructor(url: string, pauseMs = 5) {
		this.#worker = new Worker(new URL('./askingThread.ts', import.meta.url), {
			workerData: { url, pauseMs }
		});
	}

	/** The longest wait since the last time it was asked for. Milliseconds. */
	async take(): Promise<number> {
		const told = once(this.#worker, 'message') as Promise<[number]>;
		this.#worker.postMessage('take');
		const [longest] = await told;
		return longest;
	}

	async stop(): Promise<void> {
		await this.#worker.terminate();
	}
}
