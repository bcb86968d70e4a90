/** DER as crypto-conditions use it: context tags, integers, bit strings, and sets sorted by their bytes. */
import { ByteReader, compareBytes, concat } from '../bytes.ts';
import { ChainError } from '../chainError.ts';

/** Encodes one value. */
export function der(tag: number, body: Uint8Array): Uint8Array {
	const { length } = body;
	if (length < 0x80) return concat(Uint8Array.of(tag, length), body);
	if (length <= 0xff) return concat(Uint8Array.of(tag, 0x81, length), body);
	return concat(Uint8Array.of(tag, 0x82, length >> 8, length & 0xff), body);
}

/** Bytes of a DER integer that is not negative, without its tag. */
export function derInteger(value: number): Uint8Array {
	const bytes: number[] = [];
	for (let rest = value; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
	if (bytes.length === 0 || bytes[0]! >= 0x80) bytes.unshift(0);
	return Uint8Array.from(bytes);
}

/** Bytes of a DER bit string in which bit n marks type n, without its tag. */
export function derBits(types: ReadonlySet<number>): Uint8Array {
	const highest = Math.max(...types);
	const bytes = new Uint8Array((highest >> 3) + 1);
	for (const type of types) bytes[type >> 3]! |= 0x80 >> (type & 7);
	return concat(Uint8Array.of(7 - (highest & 7)), bytes);
}

/** DER SET OF: the items sorted by their bytes. */
export const sortedSet = (items: readonly Uint8Array[]): Uint8Array =>
	concat(...[...items].sort(compareBytes));

/** A value with its tag. */
export interface Tlv {
	tag: number;
	body: Uint8Array;
}

/** Reads one value. @throws {ChainError} `parse` */
export function readTlv(reader: ByteReader): Tlv {
	const tag = reader.u8('tag');
	let length = reader.u8('DER length');
	if (length >= 0x80) {
		const width = length & 0x7f;
		if (width < 1 || width > 3) {
			throw new ChainError('parse.der-length', { what: 'DER length', offset: reader.offset });
		}
		length = 0;
		for (let i = 0; i < width; i++) length = length * 256 + reader.u8('DER length');
	}
	return { tag, body: reader.take(length, 'DER value') };
}

/** Reads all values of a body. @throws {ChainError} `parse` */
export function readAll(body: Uint8Array): Tlv[] {
	const reader = new ByteReader(body);
	const items: Tlv[] = [];
	while (reader.remaining > 0) items.push(readTlv(reader));
	return items;
}
