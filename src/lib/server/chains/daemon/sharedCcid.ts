/** CCids with which chains exchange coins. */
import type { Dialect } from '#lib/rpc/codec.ts';

/** Smallest CCid that allows migrations in any dialect. */
export const LOWEST_CCID = 100;

/**
 * Largest CCid that allows migrations. A daemon takes a larger one, but a notarization holds 16 bits of it, and no proof
 * is found for the rest. (Komodo daemon: `NotarisationData::ccId`, `-ac_cc`.)
 */
export const HIGHEST_CCID = 0xff_ff;

/** Returns the smallest CCid that allows migrations: 100 in release 0.9.0, 101 in the interface document. */
export const leastCcid = (dialect: Dialect): number => (dialect === 'seed' ? 101 : LOWEST_CCID);

/** Whether chains with this CCid can exchange coins. */
export const isSharedCcid = (ccid: number | null | undefined): ccid is number =>
	typeof ccid === 'number' && ccid >= LOWEST_CCID && ccid <= HIGHEST_CCID;
