import type { Index } from '../indexer/open.ts';
import { chainIdOf } from '../lists/chains.ts';

/** Seconds between the newest blocks of a chain, the oldest interval first; none while it has no two blocks. */
export async function blockIntervals(
	index: Index,
	chain: string,
	blocks: number
): Promise<number[]> {
	const id = await chainIdOf(index, chain);
	if (id === null) return [];
	const rows = await index
		.selectFrom('ix_blocks')
		.select('time')
		.where('chain', '=', id)
		.orderBy('height', 'desc')
		.limit(blocks + 1)
		.execute();
	const times = rows.map(({ time }) => Number(time)).toReversed();
	// A miner's clock may be behind that of the one before (consensus asks for the median of eleven only).
	return times.slice(1).map((time, at) => Math.max(0, time - times[at]!));
}
