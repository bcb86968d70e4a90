/** Progress of a chain's index, as pages and the command line show it. */
interface Heights {
	startHeight: number;
	height: number;
	target: number;
	/** Blocks per second; 0 while unknown. */
	rate: number;
}

/** Progress of a chain about which nothing is known yet. */
export const NOTHING: Heights = { startHeight: 0, height: -1, target: -1, rate: 0 };

/**
 * Whether a chain is indexed from its start, so that what is added up over its blocks is complete. The coins of the
 * genesis block cannot be spent and count nowhere.
 */
export const isFromStart = ({ startHeight }: Pick<Heights, 'startHeight'>): boolean =>
	startHeight <= 1;

/** Whether no block of a chain is indexed yet, so that counts and lists say nothing about the chain. */
export const isUnindexed = (progress: Pick<Heights, 'startHeight' | 'height'> | null): boolean =>
	progress === null || progress.height < progress.startHeight;

/**
 * Returns the number of blocks indexed, in total and remaining, and the seconds remaining (null while
 * unknown).
 */
export function indexed({ startHeight, height, target, rate }: Heights) {
	const done = height - startHeight + 1;
	const all = Math.max(done, target - startHeight + 1);
	const left = all - done;
	return { done, all, left, secondsLeft: rate > 0 ? left / rate + 1 : null };
}
