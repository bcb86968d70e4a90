import type { Index } from '../indexer/open.ts';
import { chainProgress, type ChainProgress } from '../lists/chains.ts';
import { TipMemory } from './tipMemory.ts';

const memory = new TipMemory<number[]>();

/** Returns the seconds between the newest blocks of a chain, oldest first; empty for fewer than two blocks. */
export async function blockIntervals(
	index: Index,
	name: string,
	blocks: number
): Promise<number[]> {
	const chain = await chainProgress(index, name);
	return chain === null ? [] : intervalsOf(index, chain, blocks);
}

/** As {@link blockIntervals}, with the chain's progress already read. */
export function intervalsOf(index: Index, chain: ChainProgress, blocks: number): Promise<number[]> {
	return memory.get(index, chain, `${chain.name} ${blocks}`, async () => {
		const rows = await index
			.selectFrom('ix_blocks')
			.select('time')
			.where('chain', '=', chain.id)
			// The time of the genesis block is a constant of the software, years before the next block.
			.where('height', '>', 0n)
			.orderBy('height', 'desc')
			.limit(blocks + 1)
			.execute();
		const times = rows.map(({ time }) => Number(time)).toReversed();
		// A miner's clock may be behind the previous one's (consensus only requires more than the median of eleven).
		return times.slice(1).map((time, at) => Math.max(0, time - times[at]!));
	});
}
