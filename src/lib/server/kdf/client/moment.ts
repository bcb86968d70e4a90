import { LAST_SECOND } from '#lib/rpc/types.ts';

/**
 * Limits a time that a node only relays from others, such as a signer or a server of a coin, to the latest
 * that a page can format.
 * @param told Unix seconds
 */
export const momentOf = (told: number): number => Math.min(told, LAST_SECOND);
