import type { Insertable } from 'kysely';
import type { IndexChainsTable } from '#lib/server/chains/indexer/tables.ts';

/** A row of `ix_chains`: a chain without blocks, unless the given values say otherwise. */
export const indexedChain = (
	given: Partial<Insertable<IndexChainsTable>> = {}
): Insertable<IndexChainsTable> => ({
	id: 1,
	name: 'ALPHA',
	start_height: 0,
	height: 0,
	target_height: 0,
	state: 'current',
	rate: 0,
	reorgs: 0,
	looked_at: 0,
	written_at: 0,
	...given
});
