import type { Index } from '../indexer/open.ts';

/** Newest notarizations that are compared: they are not always recorded in the order of the notarized blocks. */
const NEWEST = 20;

/**
 * Returns the last block of a chain covered by a notarization on the chain itself, as its daemon counts it; 0 for
 * none. A later notarization of an older block does not lower it.
 * @param chain id and name of the chain in the index
 */
export async function notarizedHeight(
	index: Index,
	chain: { id: bigint; name: string }
): Promise<number> {
	const newest = await index
		.selectFrom('ix_notarizations')
		.select('height')
		.where('chain', '=', chain.id)
		.where('symbol', '=', chain.name)
		.orderBy('seq', 'desc')
		.limit(NEWEST)
		.execute();
	return Math.max(0, ...newest.map(({ height }) => Number(height)));
}
