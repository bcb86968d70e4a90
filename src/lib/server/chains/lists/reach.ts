/** How far the index of a chain reaches, and what follows for the finality of a block. */

export interface Reach {
	/** Height of the last indexed block. */
	indexed: number;
	/** Height of the chain: that of its daemon when it was last asked, if the index is behind it. */
	tip: number;
}

/** @param target height of the daemon's tip when it was last asked */
export const reachOf = (indexed: bigint, target: bigint): Reach => ({
	indexed: Number(indexed),
	tip: Number(target > indexed ? target : indexed)
});

/**
 * Returns the last notarized height of a chain as far as it concerns a block: null when the block is above it and blocks
 * are not indexed yet, which may notarize it.
 * @param notarized last notarized height in the index; 0 when there is none
 */
export const notarizedFor = (
	height: number,
	{ indexed, tip }: Reach,
	notarized: number
): number | null => (indexed < tip && height > notarized ? null : notarized);
