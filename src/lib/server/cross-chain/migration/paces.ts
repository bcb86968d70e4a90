import { blockIntervals } from '../../chains/explorer/blockIntervals.ts';
import { notarizationIntervals } from '../../chains/explorer/notarizationIntervals.ts';
import type { Index } from '../../chains/indexer/open.ts';
import type { Paces } from './decisions/arrivalEstimate.ts';

/** Newest events of a chain that show its usual pace. */
const BLOCKS = 96;
const NOTARIZATIONS = 24;

/** Seconds between the newest events of one chain. */
export interface ChainPace {
	blocks: readonly number[];
	notarizations: readonly number[];
}

/** Reads the pace of a chain from the index. */
export async function readPace(index: Index, chain: string): Promise<ChainPace> {
	const [blocks, notarizations] = await Promise.all([
		blockIntervals(index, chain, BLOCKS),
		notarizationIntervals(index, chain, NOTARIZATIONS)
	]);
	return { blocks, notarizations };
}

/** Combines the paces of the two chains of a migration. */
export const pacesOf = (source: ChainPace, destination: ChainPace): Paces => ({
	blocks: { source: source.blocks, destination: destination.blocks },
	notarizations: { source: source.notarizations, destination: destination.notarizations }
});
