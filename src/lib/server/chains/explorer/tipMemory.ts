import type { Index } from '../indexer/open.ts';
import type { ChainProgress } from '../lists/chains.ts';

interface Kept<Value> {
	/** State of the chain's index when the value was read. */
	state: string;
	value: Value;
}

/**
 * Caches values that depend only on the blocks of a chain until its index is written, so that pages between two
 * blocks need no query for them. One value for each name.
 */
export class TipMemory<Value> {
	readonly #kept = new WeakMap<Index, Map<string, Kept<Value>>>();

	/** @param name cache key: the chain, and whatever else the value depends on */
	async get(
		index: Index,
		{ hash, writtenAt }: Pick<ChainProgress, 'hash' | 'writtenAt'>,
		name: string,
		read: () => Promise<Value>
	): Promise<Value> {
		const ofIndex = this.#kept.get(index) ?? new Map<string, Kept<Value>>();
		this.#kept.set(index, ofIndex);
		const known = ofIndex.get(name);
		// The hash is not enough: a newer release may extract more when it reads the same blocks again.
		const state = `${hash} ${writtenAt}`;
		if (known?.state === state) return known.value;
		const value = await read();
		ofIndex.set(name, { state, value });
		return value;
	}
}
