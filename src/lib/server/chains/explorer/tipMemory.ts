import type { Index } from '../indexer/open.ts';
import type { ChainProgress } from '../lists/chains.ts';

/**
 * Keeps what follows from the blocks of a chain alone until its tip changes: a first page that is asked for between
 * two blocks costs no query for it. One value for each chain of the index.
 */
export class TipMemory<Value> {
	readonly #kept = new WeakMap<Index, Map<string, { tip: string | null; value: Value }>>();

	/** @param name what is kept: the chain, and what else the value depends on */
	async get(
		index: Index,
		{ hash: tip }: Pick<ChainProgress, 'hash'>,
		name: string,
		read: () => Promise<Value>
	): Promise<Value> {
		const ofIndex =
			this.#kept.get(index) ?? new Map<string, { tip: string | null; value: Value }>();
		this.#kept.set(index, ofIndex);
		const known = ofIndex.get(name);
		// Without a tip there is no block, either.
		if (known?.tip === tip) return known.value;
		const value = await read();
		ofIndex.set(name, { tip, value });
		return value;
	}
}
