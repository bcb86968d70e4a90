interface Entry<T> {
	data: T;
	at: number;
	tip: string | null;
}

/**
 * What was last known: the answers that pages fall back to while a daemon does not answer. Bounded; the
 * entry that was not used for longest goes first.
 */
export class LastKnown {
	readonly #entries = new Map<string, Entry<unknown>>();
	readonly #limit: number;

	constructor(limit: number) {
		this.#limit = limit;
	}

	/**
	 * Keeps an answer. `at` is Unix milliseconds.
	 * @param tip of the chain, as far as the index knew when it was asked for
	 */
	remember(key: string, data: unknown, at: number, tip: string | null = null): void {
		this.#entries.delete(key);
		this.#entries.set(key, { data, at, tip });
		const oldest = this.#entries.keys().next();
		if (this.#entries.size > this.#limit && !oldest.done) this.#entries.delete(oldest.value);
	}

	/** The last answer under a key. The caller names the type it stored there. */
	recall<T>(key: string): Entry<T> | undefined {
		const entry = this.#entries.get(key);
		if (entry === undefined) return undefined;
		this.#entries.delete(key);
		this.#entries.set(key, entry);
		return entry as Entry<T>;
	}
}
