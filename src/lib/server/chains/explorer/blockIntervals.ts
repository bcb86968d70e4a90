import type { Index } from '../indexer/open.ts';
import { chainProgress, type ChainProgress } from '../lists/chains.ts';
import { TipMemory } from './tipMemory.ts';

const memory = new TipMemory<number[]>();

/** Seconds between the newest blocks of a chain, the oldest interval first; none while it has no two blocks. */
export async function blockIntervals(
	index: Index,
	name: string,
	blocks: number
): Promise<number[]> {
	const chain = await chainProgress(index, name);
	return chain === null ? [] : intervalsOf(index, chain, blocks);
}

/** The same of a chain whose progress is at hand. */
export function intervalsOf(index: Index, chain: ChainProgress, blocks: number): Promise<number[]> {
	return memory.get(index, chain, `${chain.name} ${blocks}`, async () => {
		const rows = await index
			.selectFrom('ix_blocks')
			.select('time')
			.where('chain', '=', chain.id)
			// The first block's time is a constant of the software, years before the second one.
			.where('height', '>', 0n)
			.orderBy('height', 'desc')
			.limit(blocks + 1)
			.execute();
		const times = rows.map(({ time }) => Number(time)).toReversed();
		// A miner's clock may be behind that of the one before (consensus asks for the median of eleven only).
		return times.slice(1).map((time, at) => Math.max(0, time - times[at]!));
	});
}
