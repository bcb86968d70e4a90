const SHOWN = 8;

/** Shortens an id, key or address for a sentence: `03a37ad1…4df63644`. One that is hardly longer stays whole. */
export const shortId = (id: string): string =>
	id.length > 20 ? `${id.slice(0, SHOWN)}…${id.slice(-SHOWN)}` : id;
