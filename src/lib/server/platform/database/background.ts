/**
 * Background work, which no request waits for. On a slow database each of its queries holds a connection for
 * long and the next one follows at once: without a bound it would take the whole pool, and pages and calls
 * would get no connection.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

const background = new AsyncLocalStorage<true>();

/** Runs work as background work: it may use only a part of the connections. */
export const inBackground = <T>(work: () => T): T => background.run(true, work);
export const isInBackground = (): boolean => background.getStore() === true;

/** A counting semaphore with a timeout: later callers wait in order. */
export class Places {
	#free: number;
	readonly #waiting = new Set<() => void>();
	readonly #timeoutMs: number;

	constructor(places: number, timeoutMs: number) {
		this.#free = places;
		this.#timeoutMs = timeoutMs;
	}

	/** @throws {Error} when no place becomes free in time, with the same message as the connection pool */
	async take(): Promise<void> {
		if (this.#free > 0) {
			this.#free -= 1;
			return;
		}
		await new Promise<void>((resolve, reject) => {
			const turn = (): void => {
				clearTimeout(timer);
				resolve();
			};
			const timer = setTimeout(() => {
				this.#waiting.delete(turn);
				reject(new Error('timeout exceeded when trying to connect'));
			}, this.#timeoutMs);
			this.#waiting.add(turn);
		});
	}

	free(): void {
		const [next] = this.#waiting;
		if (next === undefined) this.#free += 1;
		else {
			this.#waiting.delete(next);
			next();
		}
	}
}
