import type { Index } from '../indexer/open.ts';

/** Notarizations among which the highest is looked for: they do not always come into blocks in their order. */
const NEWEST = 20;

/**
 * The last block of a chain that a notarization on the chain itself covers, as its daemon counts it; 0
 * when there is none. One of an older block that comes later takes nothing back.
 * @param chain number and name of the chain in the index
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
