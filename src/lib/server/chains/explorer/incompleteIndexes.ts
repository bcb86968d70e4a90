/** The chains of which the index may lack something, for pages that say what there is not. */
import { isFromStart } from '#lib/text/indexed.ts';
import type { Gateway } from '../daemon/types.ts';
import type { Index } from '../indexer/open.ts';
import { allProgress, isIndexedBut, type ChainProgress } from '../lists/chains.ts';
import { NEWEST, shown, standsStill } from './indexAge.ts';

interface IncompleteIndex {
	name: string;
	/** Null when the indexer has not seen the chain. */
	progress: ChainProgress | null;
}

/**
 * Returns whether the index may lack blocks of a chain besides the newest `few`, also older ones than it begins with, so
 * that what it lacks may exist.
 * @param progress as pages show it
 */
export const isIncomplete = (progress: ChainProgress | null, few = NEWEST): boolean =>
	!isIndexedBut(progress, few) || !isFromStart(progress) || standsStill(progress);

/**
 * Returns the configured chains whose index does not advance, lacks more than the newest blocks, or was not begun at the
 * first block. Pages about all chains deny that something exists only when there is none.
 * @param known progress of all chains, when it was read already
 */
export async function incompleteIndexes(
	{ index, gateway }: { index: Index; gateway: Gateway },
	known?: ReadonlyMap<string, ChainProgress>
): Promise<IncompleteIndex[]> {
	const stored = known ?? (await allProgress(index));
	const now = Date.now();
	return gateway
		.chains()
		.map((name) => {
			const progress = stored.get(name);
			return { name, progress: progress === undefined ? null : shown(gateway, progress, now) };
		})
		.filter(({ progress }) => isIncomplete(progress));
}
