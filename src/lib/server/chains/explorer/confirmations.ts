/** How deep a block is, and how deep its daemon says that it is. */
export interface Depth {
	/** 1 until a notarization covers the block. */
	confirmations: number;
	/** Blocks on top of it and its own. */
	rawConfirmations: number;
}

/**
 * Counts as the daemon does: once a chain has been notarized, a block counts 1 until the last notarized
 * height is above it.
 *
 * @param notarized last notarized height; 0 when there is none
 */
export function confirmationsOf(height: number, tip: number, notarized: number): Depth {
	const rawConfirmations = Math.max(0, tip - height + 1);
	const held = notarized > 0 && rawConfirmations > 0 && height >= notarized;
	return { confirmations: held ? 1 : rawConfirmations, rawConfirmations };
}
