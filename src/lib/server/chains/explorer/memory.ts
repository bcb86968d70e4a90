import { LRUCache } from 'lru-cache';
import { roughSize } from './roughSize.ts';

interface Entry<T> {
	data: T;
	at: number;
	tip: string | null;
}

/** Limit for all answers of one cache together. Visitors choose which answers are read, and how large they are. */
const MOST_BYTES = 32 * 1024 * 1024;
/** A larger answer is not kept: it would evict most of the others. */
const MOST_OF_ONE = MOST_BYTES / 8;

/**
 * Cache of last known answers, which pages fall back to while a daemon does not answer. Limited in number and in
 * bytes; evicts the least recently used entry.
 */
export class LastKnown {
	readonly #entries: LRUCache<string, Entry<unknown>>;

	constructor(limit: number) {
		this.#entries = new LRUCache({
			max: limit,
			maxSize: MOST_BYTES,
			maxEntrySize: MOST_OF_ONE,
			sizeCalculation: ({ data }, key) => key.length + roughSize(data, MOST_OF_ONE)
		});
	}

	/**
	 * Stores an answer. `at` is Unix milliseconds.
	 * @param tip tip of the chain in the index when the answer was requested
	 */
	remember(key: string, data: unknown, at: number, tip: string | null = null): void {
		this.#entries.set(key, { data, at, tip });
	}

	/** Returns the last answer for a key. The caller names the type that it stored there. */
	recall<T>(key: string): Entry<T> | undefined {
		return this.#entries.get(key) as Entry<T> | undefined;
	}
}
