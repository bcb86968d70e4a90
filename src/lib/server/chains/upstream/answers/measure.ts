/**
 * Measures the bytes of an answer in one pass before anything is parsed: the number of values, the nesting depth,
 * the length of numbers and texts, and the position of the `id` member. JSON.parse would need fifty times the size
 * of the text for `[0,0,0,…]`.
 */
import { MOST_DEPTH, MOST_DIGITS, MOST_TEXT } from '#lib/rpc/answerLimit.ts';

/** The limit that an answer exceeds. */
export type Excess = 'values' | 'depth' | 'digits' | 'text';

/** Byte range of a value; `end` is exclusive. */
export interface Span {
	start: number;
	end: number;
}

interface Measured {
	values: number;
	/** Null when all limits hold; otherwise the limit at which measuring stopped. */
	excess: Excess | null;
	/** Value of the last `id` member of the outermost object; null when there is none. */
	id: Span | null;
}

export const QUOTE = 0x22;
const BACKSLASH = 0x5c;
export const COMMA = 0x2c;
const COLON = 0x3a;
export const SPACE = 0x20;

/** Whether a byte outside of texts is `{` or `[`. */
export const opens = (byte: number): boolean => byte === 0x7b || byte === 0x5b;

/** Whether a byte closes an object or a list of JSON. */
export const closes = (byte: number): boolean => byte === 0x7d || byte === 0x5d;

/**
 * Returns the index of the quote that closes the text opened at `from`; the length when it is not closed; null when
 * the text is too long.
 */
export function textEnd(bytes: Uint8Array, from: number): number | null {
	const bound = Math.min(bytes.length, from + MOST_TEXT);
	let at = from + 1;
	while (at < bound) {
		const byte = bytes[at];
		if (byte === QUOTE) return at;
		at += byte === BACKSLASH ? 2 : 1;
	}
	return bound < bytes.length ? null : bytes.length;
}

/** Whether the text between two quotes is `id`. */
const isId = (bytes: Uint8Array, quote: number, end: number): boolean =>
	end - quote === 3 && bytes[quote + 1] === 0x69 && bytes[quote + 2] === 0x64;

/** Measures an answer. Does not check that the text is valid JSON. */
export function measureJson(bytes: Uint8Array, mostValues: number): Measured {
	let values = 1;
	let depth = 0;
	let scalar = 0;
	let key = false;
	let id: Span | null = null;
	let idFrom = -1;
	for (let at = 0; at < bytes.length; at++) {
		const byte = bytes[at]!;
		if (byte === QUOTE) {
			const end = textEnd(bytes, at);
			if (end === null) return { values, excess: 'text', id };
			if (depth === 1 && idFrom < 0) key = isId(bytes, at, end);
			at = end;
		} else if (byte === COLON) {
			if (depth === 1 && key) idFrom = at + 1;
			key = false;
		} else if (byte === COMMA || opens(byte) || closes(byte)) {
			if (depth === 1 && idFrom >= 0 && !opens(byte)) {
				id = { start: idFrom, end: at };
				idFrom = -1;
			}
			scalar = 0;
			if (byte === COMMA) values += 1;
			else if (closes(byte)) depth -= 1;
			else {
				values += 1;
				depth += 1;
				if (depth > MOST_DEPTH) return { values, excess: 'depth', id };
			}
			if (values > mostValues) return { values, excess: 'values', id };
		} else if (byte > SPACE) {
			scalar += 1;
			if (scalar > MOST_DIGITS) return { values, excess: 'digits', id };
		}
	}
	return { values, excess: null, id };
}
