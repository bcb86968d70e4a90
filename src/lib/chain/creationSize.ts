/** Computes the size of a token creation's payload before the transaction is built. */

/** Eval code, token function, and the creator's public key with its length. */
const FIXED_BYTES = 2 + 34;

const varIntBytes = (length: number): number => (length < 0xfd ? 1 : length <= 0xffff ? 3 : 5);
const varSliceBytes = (length: number): number => varIntBytes(length) + length;
const pushBytes = (length: number): number =>
	length < 0x4c ? 1 : length <= 0xff ? 2 : length <= 0xffff ? 3 : 5;

/**
 * Returns the bytes of the OP_RETURN script of a token creation; nodes limit this size.
 * @param lengths of each part in bytes; `data` is 0 for a fungible token
 */
export function creationScriptBytes(lengths: {
	name: number;
	description: number;
	data: number;
}): number {
	const { name, description, data } = lengths;
	const payload =
		FIXED_BYTES +
		varSliceBytes(name) +
		varSliceBytes(description) +
		(data === 0 ? 0 : 1 + varSliceBytes(data));
	return 1 + pushBytes(payload) + payload;
}
