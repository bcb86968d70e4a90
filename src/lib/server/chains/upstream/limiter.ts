import { AppError } from '../../platform/errors/appError.ts';

interface LimiterOptions {
	/** Calls that run at the same time. */
	maxConcurrency: number;
	/** Calls of each priority that may wait. */
	maxQueued: number;
}

interface Waiting {
	start: () => void;
	timer: NodeJS.Timeout;
}

type Priority = 'interactive' | 'background';

/**
 * Interactive calls served in a row while a background call waits. Anyone can request pages without end, and the
 * steps of a migration are background calls.
 */
const MOST_IN_A_ROW = 3;

/**
 * Limits the number of concurrent calls. The others wait in two bounded queues; `interactive` calls are served
 * before `background` ones, but every fourth call is a `background` one while some wait. A Komodo daemon 0.9.0 has
 * four worker threads and a short queue, which more than four concurrent calls would only fill up for all clients.
 */
export class Limiter {
	readonly #options: LimiterOptions;
	readonly #queues: Record<Priority, Waiting[]> = { interactive: [], background: [] };
	#running = 0;
	/** Interactive calls served in a row while a background call waited. */
	#inARow = 0;

	constructor(options: LimiterOptions) {
		this.#options = options;
	}

	get running(): number {
		return this.#running;
	}

	get queued(): number {
		return this.#queues.interactive.length + this.#queues.background.length;
	}

	/**
	 * Runs the task when a slot is free.
	 * @param waitMs longest wait for a slot, in milliseconds
	 * @throws {AppError} `queue.full`, `queue.timeout`: in both cases the task was never started
	 */
	async run<T>(priority: Priority, waitMs: number, task: () => Promise<T>): Promise<T> {
		if (this.#running >= this.#options.maxConcurrency) await this.#wait(priority, waitMs);
		else this.#running += 1;
		try {
			return await task();
		} finally {
			this.#release();
		}
	}

	#wait(priority: Priority, waitMs: number): Promise<void> {
		const queue = this.#queues[priority];
		if (queue.length >= this.#options.maxQueued) {
			throw new AppError('queue.full');
		}
		return new Promise((resolve, reject) => {
			const waiting: Waiting = {
				start: resolve,
				timer: setTimeout(() => {
					queue.splice(queue.indexOf(waiting), 1);
					reject(new AppError('queue.timeout'));
				}, waitMs)
			};
			queue.push(waiting);
		});
	}

	/** Passes the slot directly to the next waiting call, so that no new call can take it first. */
	#release(): void {
		const next = this.#next();
		if (next === undefined) {
			this.#running -= 1;
			return;
		}
		clearTimeout(next.timer);
		next.start();
	}

	#next(): Waiting | undefined {
		const { interactive, background } = this.#queues;
		const isBackground =
			interactive.length === 0 || (background.length > 0 && this.#inARow >= MOST_IN_A_ROW);
		this.#inARow = isBackground || background.length === 0 ? 0 : this.#inARow + 1;
		return isBackground ? background.shift() : interactive.shift();
	}
}
