import { blockIntervals } from '../../chains/explorer/blockIntervals.ts';
import { notarizationIntervals } from '../../chains/explorer/notarizationIntervals.ts';
import type { Index } from '../../chains/indexer/open.ts';
import type { Paces } from './decisions/arrivalEstimate.ts';

/** Events of a chain that say what is usual there. */
const BLOCKS = 96;
const NOTARIZATIONS = 24;

/** What the index says about the paces of the two chains of a migration. */
export async function readPaces(
	index: Index,
	{ source, destination }: { source: string; destination: string }
): Promise<Paces> {
	const [sourceBlocks, destinationBlocks, ofSource, ofDestination] = await Promise.all([
		blockIntervals(index, source, BLOCKS),
		blockIntervals(index, destination, BLOCKS),
		notarizationIntervals(index, source, NOTARIZATIONS),
		notarizationIntervals(index, destination, NOTARIZATIONS)
	]);
	return {
		blocks: { source: sourceBlocks, destination: destinationBlocks },
		notarizations: { source: ofSource, destination: ofDestination }
	};
}
