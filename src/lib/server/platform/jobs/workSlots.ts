/**
 * How much work is done at the same time. Work that takes long waits for an upstream: it is set aside and leaves
 * its place to other work, so that an upstream that hangs holds nothing but what needs it.
 */

/** From then on work is set aside, in milliseconds: what is healthy has answered by then. */
const ASIDE_AFTER_MS = 1_000;
/** Set aside at most, so that an upstream that hangs for long does not use up the memory. */
const MOST_ASIDE = 1_000;

export class WorkSlots {
	readonly #maxConcurrency: number;
	readonly #onFree: () => void;
	readonly #busy = new Set<Promise<void>>();
	readonly #aside = new Set<Promise<void>>();

	/**
	 * @param maxConcurrency how much work is done at the same time, but for what is set aside
	 * @param onFree hears that there is room again
	 */
	constructor(maxConcurrency: number, onFree: () => void) {
		this.#maxConcurrency = maxConcurrency;
		this.#onFree = onFree;
	}

	get isFree(): boolean {
		return this.#busy.size < this.#maxConcurrency && this.#aside.size < MOST_ASIDE;
	}

	/** Begins work, which must not fail; ask {@link isFree} before. */
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

	/** Resolves when nothing is done any more. */
	async ended(): Promise<void> {
		await Promise.all([...this.#busy, ...this.#aside]);
	}
}
