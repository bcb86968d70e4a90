/** Estimates the size of a coin burn before the transaction is built. */

/** Header, counts and trailing fields of a version 4 transaction. */
const FRAME_BYTES = 29;
/** An input with one signature and one public key. */
const INPUT_BYTES = 148;
const CHANGE_BYTES = 35;
/** The burn output, with two chain names of usual length. */
const BURN_BYTES = 75;

/**
 * Returns the bytes of a burn with this many inputs. Recipients add nothing: the burn holds only their hash.
 */
export const burnBytes = (inputs: number): number =>
	FRAME_BYTES + inputs * INPUT_BYTES + CHANGE_BYTES + BURN_BYTES;
