/** A height as people type it; null for what is none. */
export const readHeight = (typed: string): number | null =>
	/^\d{1,15}$/.test(typed) ? Number(typed) : null;
