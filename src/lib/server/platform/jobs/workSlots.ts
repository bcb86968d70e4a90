/**
 * Limits concurrent work. Work that takes long is waiting for an upstream: it is set aside and frees its slot,
 * so that a hanging upstream blocks only the work that needs it.
 */

/** Time after which work is set aside, in milliseconds: healthy upstreams respond sooner. */
const ASIDE_AFTER_MS = 1_000;
/** Limit of work that is set aside, which bounds memory while an upstream hangs. */
const MOST_ASIDE = 1_000;

export class WorkSlots {
	readonly #maxConcurrency: number;
	readonly #onFree: () => void;
	readonly #busy = new Set<Promise<void>>();
	readonly #aside = new Set<Promise<void>>();

	/**
	 * @param maxConcurrency concurrent work, not counting what is set aside
	 * @param onFree called when a slot becomes free
	 */
	constructor(maxConcurrency: number, onFree: () => void) {
		this.#maxConcurrency = maxConcurrency;
		this.#onFree = onFree;
	}

	get isFree(): boolean {
		return this.#busy.size < this.#maxConcurrency && this.#aside.size < MOST_ASIDE;
	}

	/** Starts work, which must not reject; check {@link isFree} first. */
	begin(work: () => Promise<void>): void {
		const running = work().finally(() => {
			clearTimeout(timer);
			this.#busy.delete(running);
			this.#aside.delete(running);
			this.#onFree();
		});
		this.#busy.add(running);
		const timer = setTimeout(() => {
			this.#busy.delete(running);
			this.#aside.add(running);
			this.#onFree();
		}, ASIDE_AFTER_MS);
		timer.unref();
	}

	/** Resolves when all current work has ended. */
	async ended(): Promise<void> {
		await Promise.all([...this.#busy, ...this.#aside]);
	}
}
