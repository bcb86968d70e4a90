import type { Index } from '../indexer/open.ts';
import type { ChainProgress } from '../lists/chains.ts';

interface Kept<Value> {
	/** Of the chain's index when it was read. */
	state: string;
	value: Value;
}

/**
 * Keeps what follows from the blocks of a chain alone until its index is written: a first page that is asked for
 * between two blocks costs no query for it. One value for each chain of the index.
 */
export class TipMemory<Value> {
	readonly #kept = new WeakMap<Index, Map<string, Kept<Value>>>();

	/** @param name what is kept: the chain, and what else the value depends on */
	async get(
		index: Index,
		{ hash, writtenAt }: Pick<ChainProgress, 'hash' | 'writtenAt'>,
		name: string,
		read: () => Promise<Value>
	): Promise<Value> {
		const ofIndex = this.#kept.get(index) ?? new Map<string, Kept<Value>>();
		this.#kept.set(index, ofIndex);
		const known = ofIndex.get(name);
		// Blocks that were read again end at the same tip, and another release may read more in them.
		const state = `${hash} ${writtenAt}`;
		if (known?.state === state) return known.value;
		const value = await read();
		ofIndex.set(name, { state, value });
		return value;
	}
}
