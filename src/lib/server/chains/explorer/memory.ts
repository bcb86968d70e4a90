interface Entry<T> {
	data: T;
	at: number;
	tip: string | null;
}

/**
 * Cache of last known answers, which pages fall back to while a daemon does not answer. Limited in size; evicts the
 * least recently used entry.
 */
export class LastKnown {
	readonly #entries = new Map<string, Entry<unknown>>();
	readonly #limit: number;

	constructor(limit: number) {
		this.#limit = limit;
	}

	/**
	 * Stores an answer. `at` is Unix milliseconds.
	 * @param tip tip of the chain in the index when the answer was requested
	 */
	remember(key: string, data: unknown, at: number, tip: string | null = null): void {
		this.#entries.delete(key);
		this.#entries.set(key, { data, at, tip });
		const oldest = this.#entries.keys().next();
		if (this.#entries.size > this.#limit && !oldest.done) this.#entries.delete(oldest.value);
	}

	/** Returns the last answer for a key. The caller names the type that it stored there. */
	recall<T>(key: string): Entry<T> | undefined {
		const entry = this.#entries.get(key);
		if (entry === undefined) return undefined;
		this.#entries.delete(key);
		this.#entries.set(key, entry);
		return entry as Entry<T>;
	}
}
