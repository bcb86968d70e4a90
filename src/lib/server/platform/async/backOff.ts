const FIRST_MS = 1_000;
const LAST_MS = 30_000;

/**
 * Returns the delay before a retry in milliseconds, doubling with each failure up to a limit.
 * @param failures failures in a row, at least 1
 */
export const backOff = (failures: number): number =>
	Math.min(LAST_MS, FIRST_MS * 2 ** (failures - 1));
