import type { Index } from '../indexer/open.ts';
import { chainProgress } from '../lists/chains.ts';
import { readTimeline } from '../lists/notarizationTimeline.ts';
import { TipMemory } from './tipMemory.ts';

const memory = new TipMemory<number[]>();

/** Returns the seconds between the newest notarizations in a chain's own blocks; empty for fewer than two. */
export async function notarizationIntervals(
	index: Index,
	name: string,
	notarizations: number
): Promise<number[]> {
	const chain = await chainProgress(index, name);
	if (chain === null) return [];
	return memory.get(index, chain, `${name} ${notarizations}`, async () => {
		const { points } = await readTimeline(index, chain.id, name, notarizations);
		return points.map(({ gap }) => gap).filter((gap) => gap !== null);
	});
}
