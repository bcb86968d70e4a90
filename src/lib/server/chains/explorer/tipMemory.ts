import type { Index } from '../indexer/open.ts';
import { chainProgress, type ChainProgress } from '../lists/chains.ts';

interface Kept<Value> {
	/** State of the chain's index when the value was read. */
	state: string;
	value: Value;
}

/** The hash is not enough: a newer release may extract more when it reads the same blocks again. */
const stateOf = ({ hash, writtenAt }: Pick<ChainProgress, 'hash' | 'writtenAt'>): string =>
	`${hash} ${writtenAt}`;

/**
 * Caches values that depend only on the blocks of a chain until its index is written, so that pages between two
 * blocks need no query for them. One value for each name.
 */
export class TipMemory<Value> {
	readonly #kept = new WeakMap<Index, Map<string, Kept<Value>>>();

	/** @param name cache key: the chain, and whatever else the value depends on */
	async get(
		index: Index,
		chain: Pick<ChainProgress, 'name' | 'hash' | 'writtenAt'>,
		name: string,
		read: () => Promise<Value>
	): Promise<Value> {
		const ofIndex = this.#kept.get(index) ?? new Map<string, Kept<Value>>();
		this.#kept.set(index, ofIndex);
		const known = ofIndex.get(name);
		const state = stateOf(chain);
		if (known?.state === state) return known.value;
		const value = await read();
		// A standby of the database may be behind the state that was read before.
		const now = await chainProgress(index, chain.name);
		if (now !== null && stateOf(now) === state) ofIndex.set(name, { state, value });
		return value;
	}
}
