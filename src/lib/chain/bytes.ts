/**
 * Reads and writes bytes. All data from outside is read through {@link ByteReader}, which checks each length
 * against the remaining bytes before it allocates.
 */
import { ChainError } from './chainError.ts';

/** Hex digits of each byte value. */
const PAIRS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Value of a hex digit's char code, or -1. */
function digit(code: number): number {
	if (code >= 48 && code <= 57) return code - 48;
	if (code >= 97 && code <= 102) return code - 87;
	if (code >= 65 && code <= 70) return code - 55;
	return -1;
}

/** True for an even number of hex digits, including the empty text. */
export function isHex(text: string): boolean {
	if (text.length % 2 !== 0) return false;
	for (let i = 0; i < text.length; i++) if (digit(text.charCodeAt(i)) < 0) return false;
	return true;
}

/**
 * Decodes hex of either case. @throws {ChainError} `parse` at the byte with the first character that is not a
 * hex digit, or at the end when the number of digits is odd
 */
export function hexToBytes(hex: string): Uint8Array {
	const bytes = new Uint8Array(hex.length >> 1);
	for (let i = 0; i < bytes.length; i++) {
		const high = digit(hex.charCodeAt(2 * i));
		const low = digit(hex.charCodeAt(2 * i + 1));
		if (high < 0 || low < 0) {
			const at = high < 0 ? 2 * i : 2 * i + 1;
			throw new ChainError('parse.not-hex', { what: 'hex', offset: i, character: at + 1 });
		}
		bytes[i] = (high << 4) | low;
	}
	if (hex.length % 2 !== 0) {
		throw new ChainError('parse.odd-hex', { what: 'hex', offset: bytes.length });
	}
	return bytes;
}

/** Encodes bytes as lower-case hex. */
export function bytesToHex(bytes: Uint8Array): string {
	let text = '';
	for (let i = 0; i < bytes.length; i++) text += PAIRS[bytes[i]!]!;
	return text;
}

/** Returns a copy in reverse order. */
export function reversed(bytes: Uint8Array): Uint8Array {
	return Uint8Array.from(bytes).reverse();
}

/** Formats a hash in display order, as daemons write it in JSON: bytes reversed, lower-case hex. */
export function displayHash(internal: Uint8Array): string {
	let text = '';
	for (let i = internal.length - 1; i >= 0; i--) text += PAIRS[internal[i]!]!;
	return text;
}

/** A hash of zero bytes in display order, which stands where there is no hash. */
export const NO_HASH = '0'.repeat(64);

/**
 * Converts a hash in display order to the 32 bytes used in serialized data.
 * @throws {ChainError} `parse` when the text is not 64 hex digits
 */
export function internalHash(display: string): Uint8Array {
	if (display.length !== 64) {
		throw new ChainError('parse.not-a-hash', { what: 'hash', offset: 0 });
	}
	return hexToBytes(display).reverse();
}

export function concat(...parts: readonly Uint8Array[]): Uint8Array {
	return join(parts);
}

/** Concatenates like {@link concat}, for lists too long to pass as arguments. */
export function join(parts: readonly Uint8Array[]): Uint8Array {
	const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
	let at = 0;
	for (const part of parts) {
		whole.set(part, at);
		at += part.length;
	}
	return whole;
}

export function bytesEqual(a: Uint8Array, b: Uint8Array): boolean {
	return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

/** Compares like C's memcmp, then by length: a negative, zero or positive number. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
	const common = Math.min(a.length, b.length);
	for (let i = 0; i < common; i++) {
		const difference = a[i]! - b[i]!;
		if (difference !== 0) return difference;
	}
	return a.length - b.length;
}

/** A cursor over bytes. Integers are little endian, as everywhere on these chains. */
export class ByteReader {
	readonly bytes: Uint8Array;
	readonly #view: DataView;
	#offset: number;

	/** @param offset where reading starts; offsets in errors still count from the first byte */
	constructor(bytes: Uint8Array, offset = 0) {
		this.bytes = bytes;
		this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
		this.#offset = offset;
	}

	get offset(): number {
		return this.#offset;
	}

	get remaining(): number {
		return this.bytes.length - this.#offset;
	}

	#take(length: number, what: string): number {
		if (length > this.remaining) {
			throw new ChainError('parse.cut-off', {
				what,
				offset: this.#offset,
				needs: length,
				left: this.remaining
			});
		}
		const at = this.#offset;
		this.#offset += length;
		return at;
	}

	u8(what = 'byte'): number {
		return this.#view.getUint8(this.#take(1, what));
	}

	u16(what = 'number'): number {
		return this.#view.getUint16(this.#take(2, what), true);
	}

	u32(what = 'number'): number {
		return this.#view.getUint32(this.#take(4, what), true);
	}

	i32(what: string): number {
		return this.#view.getInt32(this.#take(4, what), true);
	}

	i64(what = 'number'): bigint {
		return this.#view.getBigInt64(this.#take(8, what), true);
	}

	/** Skips bytes without copying them. */
	skip(length: number, what = 'bytes'): void {
		this.#take(length, what);
	}

	/** Reads a hash of 32 bytes; display order. */
	hash(what = 'hash'): string {
		const at = this.#take(32, what);
		let text = '';
		for (let i = at + 31; i >= at; i--) text += PAIRS[this.bytes[i]!]!;
		return text;
	}

	/** Returns a copy, so that parsed values do not change when the source is overwritten. */
	take(length: number, what = 'bytes'): Uint8Array {
		const at = this.#take(length, what);
		return this.bytes.slice(at, at + length);
	}

	/**
	 * Reads Bitcoin's variable-length integer. A longer encoding than necessary is refused, as the daemon
	 * does, so that serializing gives back the same bytes.
	 */
	compactSize(what = 'length'): number {
		const at = this.#offset;
		const first = this.u8(what);
		if (first < 0xfd) return first;
		const value =
			first === 0xfd
				? this.u16(what)
				: first === 0xfe
					? this.u32(what)
					: Number(this.#view.getBigUint64(this.#take(8, what), true));
		const least = first === 0xfd ? 0xfd : first === 0xfe ? 0x10000 : 0x100000000;
		if (value < least) throw new ChainError('parse.overlong', { what, offset: at });
		return value;
	}

	/**
	 * Reads the number of items that follow. Each item takes at least `itemBytes`: a count that the remaining
	 * bytes cannot hold is refused before a list is allocated.
	 */
	count(itemBytes: number, what = 'count'): number {
		const at = this.#offset;
		const count = this.compactSize(what);
		if (count * itemBytes > this.remaining) {
			throw new ChainError('parse.count-too-large', { what, offset: at, count });
		}
		return count;
	}

	/** Reads a CompactSize length and that many bytes. */
	varSlice(what = 'bytes'): Uint8Array {
		const at = this.#offset;
		const length = this.compactSize(what);
		if (length > this.remaining) {
			throw new ChainError('parse.length-too-large', {
				what,
				offset: at,
				length,
				left: this.remaining
			});
		}
		return this.take(length, what);
	}

	/**
	 * Reads the daemon's VARINT: base 128, most significant group first, each continuation minus one. A value
	 * over 32 bits is refused, as the daemon does.
	 */
	varint(what = 'number'): number {
		const at = this.#offset;
		let value = 0;
		for (;;) {
			const byte = this.u8(what);
			value = value * 128 + (byte & 0x7f);
			if (value > 0xffffffff) throw new ChainError('parse.number-too-large', { what, offset: at });
			if ((byte & 0x80) === 0) return value;
			value += 1;
		}
	}

	/** @throws {ChainError} `parse` when bytes are left */
	end(what: string): void {
		if (this.remaining > 0) {
			throw new ChainError('parse.left-over', {
				what,
				offset: this.#offset,
				left: this.remaining
			});
		}
	}
}

/** Builds a byte array piece by piece. */
export class ByteWriter {
	#bytes = new Uint8Array(64);
	#view = new DataView(this.#bytes.buffer);
	#length = 0;

	/** Returns where the next bytes go, after making room for them. */
	#take(length: number): number {
		const at = this.#length;
		this.#length += length;
		if (this.#length > this.#bytes.length) {
			const larger = new Uint8Array(2 * this.#length);
			larger.set(this.#bytes);
			this.#bytes = larger;
			this.#view = new DataView(larger.buffer);
		}
		return at;
	}

	#number(length: number, set: (view: DataView, at: number) => void): this {
		const at = this.#take(length);
		set(this.#view, at);
		return this;
	}

	u8(value: number): this {
		return this.#number(1, (view, at) => view.setUint8(at, value));
	}

	u16(value: number): this {
		return this.#number(2, (view, at) => view.setUint16(at, value, true));
	}

	u32(value: number): this {
		return this.#number(4, (view, at) => view.setUint32(at, value, true));
	}

	i64(value: bigint): this {
		return this.#number(8, (view, at) => view.setBigInt64(at, value, true));
	}

	bytes(part: Uint8Array): this {
		const at = this.#take(part.length);
		this.#bytes.set(part, at);
		return this;
	}

	compactSize(value: number): this {
		if (value < 0xfd) return this.u8(value);
		if (value <= 0xffff) return this.u8(0xfd).u16(value);
		if (value <= 0xffffffff) return this.u8(0xfe).u32(value);
		return this.u8(0xff).#number(8, (view, at) => view.setBigUint64(at, BigInt(value), true));
	}

	varSlice(part: Uint8Array): this {
		return this.compactSize(part.length).bytes(part);
	}

	varint(value: number): this {
		const groups = [value % 128];
		let rest = value;
		while (rest > 0x7f) {
			rest = Math.floor(rest / 128) - 1;
			groups.push((rest % 128) | 0x80);
		}
		return this.bytes(Uint8Array.from(groups.reverse()));
	}

	finish(): Uint8Array {
		return this.#bytes.slice(0, this.#length);
	}
}
