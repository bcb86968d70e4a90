import type { Index } from '../indexer/open.ts';

/**
 * The last block of a chain that a notarization on the chain itself covers, as its daemon counts it; 0
 * when there is none.
 * @param chain number and name of the chain in the index
 */
export async function notarizedHeight(
	index: Index,
	chain: { id: bigint; name: string }
): Promise<number> {
	const row = await index
		.selectFrom('ix_notarizations')
		.select('height')
		.where('chain', '=', chain.id)
		.where('symbol', '=', chain.name)
		.orderBy('seq', 'desc')
		.limit(1)
		.executeTakeFirst();
	return row === undefined ? 0 : Number(row.height);
}
