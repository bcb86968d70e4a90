/** How large the payload of a token creation gets, before any bytes of it exist. */

/** Eval code, token function, and the owner's key with its length. */
const FIXED_BYTES = 2 + 34;

const varIntBytes = (length: number): number => (length < 0xfd ? 1 : length <= 0xffff ? 3 : 5);
const varSliceBytes = (length: number): number => varIntBytes(length) + length;
const pushBytes = (length: number): number =>
	length < 0x4c ? 1 : length <= 0xff ? 2 : length <= 0xffff ? 3 : 5;

/**
 * Bytes of the output script that says what a new token is: what nodes hold against their limit.
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
