/** Shortens an id for a sentence: its first and last eight characters. */
export const shortId = (id: string): string => `${id.slice(0, 8)}…${id.slice(-8)}`;
