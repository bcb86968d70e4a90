/** Confirmations of a block, with and without regard to notarizations. */
export interface Depth {
	/** As the daemon reports it: 1 until a notarization covers the block. */
	confirmations: number;
	/** Number of blocks from this one to the tip. */
	rawConfirmations: number;
}

/**
 * Counts as the daemon does: once a chain has been notarized, a block has 1 confirmation until the last notarized
 * height is above it.
 *
 * @param notarized last notarized height; 0 when there is none, null when it is unknown: then blocks are counted
 */
export function confirmationsOf(height: number, tip: number, notarized: number | null): Depth {
	const rawConfirmations = Math.max(0, tip - height + 1);
	const held = notarized !== null && notarized > 0 && rawConfirmations > 0 && height >= notarized;
	return { confirmations: held ? 1 : rawConfirmations, rawConfirmations };
}
