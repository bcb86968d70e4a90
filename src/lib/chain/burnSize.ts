/** How large a burn of coins gets, before any bytes of it exist. */

/** Header, counts and the end of a transaction of version 4. */
const FRAME_BYTES = 29;
/** An input that pays with a signature and a key. */
const INPUT_BYTES = 148;
const CHANGE_BYTES = 35;
/** The output that burns, with two names of chains of usual length. */
const BURN_BYTES = 75;

/** Bytes of a burn that spends so many outputs; its recipients take none, because it holds their hash only. */
export const burnBytes = (inputs: number): number =>
	FRAME_BYTES + inputs * INPUT_BYTES + CHANGE_BYTES + BURN_BYTES;
