const FIRST_MS = 1_000;
const LAST_MS = 30_000;

/**
 * How long work that failed waits for its next try, in milliseconds: each time twice as long.
 * @param failures in a row, at least 1
 */
export const backOff = (failures: number): number =>
	Math.min(LAST_MS, FIRST_MS * 2 ** (failures - 1));
