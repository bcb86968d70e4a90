/** The last second of the year 9999, Unix seconds. */
const LAST_SECOND = 253_402_300_799;

/**
 * A moment of which a node only repeats what others told it: a signer, a server of a coin. None is later than what a
 * page can write down.
 * @param told Unix seconds
 */
export const momentOf = (told: number): number => Math.min(told, LAST_SECOND);
