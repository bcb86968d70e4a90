const MEGABYTE = 1_000_000;

/** Formats a number of bytes. @example sizeWords(256_000_000) // '256 MB' */
export const sizeWords = (bytes: number): string =>
	bytes < 10_000 * MEGABYTE
		? `${Math.floor(bytes / MEGABYTE)} MB`
		: `${Math.floor(bytes / (1_000 * MEGABYTE))} GB`;
