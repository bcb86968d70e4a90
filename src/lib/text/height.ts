/** Parses a block height; null when the text is not one. */
export const readHeight = (typed: string): number | null =>
	/^\d{1,15}$/.test(typed) ? Number(typed) : null;
