/**
 * Reads the fields of a protobuf message, as far as two short messages need it (protobuf encoding, "Message
 * structure"). Pure.
 */

/** The last value of each field by its number: a whole number, or bytes. */
export type WireMessage = Map<number, bigint | Uint8Array>;

const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;
const FIXED32 = 5;
/** Maximum length of a 64-bit varint, bytes. */
const LONGEST_VARINT = 10;

/** Parses a message; null when it is invalid. */
export function readMessage(bytes: Uint8Array): WireMessage | null {
	const fields: WireMessage = new Map();
	let at = 0;
	function varint(): bigint | null {
		let value = 0n;
		for (let n = 0; n < LONGEST_VARINT; n++) {
			const byte = bytes[at++];
			if (byte === undefined) return null;
			value |= BigInt(byte & 0x7f) << BigInt(7 * n);
			if (byte < 0x80) return value;
		}
		return null;
	}
	while (at < bytes.length) {
		const key = varint();
		if (key === null) return null;
		const field = Number(key >> 3n);
		const kind = Number(key & 7n);
		if (kind === VARINT) {
			const value = varint();
			if (value === null) return null;
			fields.set(field, value);
			continue;
		}
		const length = kind === BYTES ? varint() : kind === FIXED64 ? 8n : kind === FIXED32 ? 4n : null;
		if (length === null || length > BigInt(bytes.length - at)) return null;
		fields.set(field, bytes.subarray(at, at + Number(length)));
		at += Number(length);
	}
	return fields;
}
