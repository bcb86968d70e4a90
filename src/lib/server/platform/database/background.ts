/**
 * Work that no one waits for. A slow database keeps each of its questions for long, and there is always a next one: it
 * would take every connection, and whoever asks for a page or makes a call would get none.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

const background = new AsyncLocalStorage<true>();

/** Does work whose end no one waits for: it takes only a part of the connections. */
export const inBackground = <T>(work: () => T): T => background.run(true, work);
export const isInBackground = (): boolean => background.getStore() === true;

/** So many at the same time; who comes later waits its turn. */
export class Places {
	#free: number;
	readonly #waiting = new Set<() => void>();
	readonly #timeoutMs: number;

	constructor(places: number, timeoutMs: number) {
		this.#free = places;
		this.#timeoutMs = timeoutMs;
	}

	/** @throws {Error} what the pool says, too, when nothing gets free in time */
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
