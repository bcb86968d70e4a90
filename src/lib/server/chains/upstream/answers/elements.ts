/** Finds the single answers of a batch in its bytes, and the call id of each. */
import { closes, COMMA, measureJson, opens, QUOTE, SPACE, textEnd, type Span } from './measure.ts';

/** Position of one answer of a batch. */
export interface BatchAnswer extends Span {
	/** The id as JSON text; null when the answer has none. */
	id: string | null;
}

const ARRAY = 0x5b;
const ARRAY_END = 0x5d;

/** Returns the positions of an array's elements, which may be invalid JSON; null when it is not an array. */
function elementsOf(bytes: Uint8Array): Span[] | null {
	const found: Span[] = [];
	let depth = 0;
	let start = -1;
	/** Offset after the last non-space byte of the element. */
	let end = -1;
	for (let at = 0; at < bytes.length; at++) {
		const byte = bytes[at]!;
		if (byte <= SPACE) continue;
		if (depth === 0) {
			if (byte !== ARRAY) return null;
			depth = 1;
			continue;
		}
		if (depth === 1 && (byte === COMMA || byte === ARRAY_END)) {
			if (start >= 0) found.push({ start, end });
			else if (byte === COMMA || found.length > 0) return null;
			start = -1;
			if (byte === COMMA) continue;
			return bytes.subarray(at + 1).every((rest) => rest <= SPACE) ? found : null;
		}
		if (start < 0) start = at;
		if (byte === QUOTE) {
			const quote = textEnd(bytes, at);
			if (quote === null) return null;
			at = quote;
		} else if (opens(byte)) depth += 1;
		else if (closes(byte)) depth -= 1;
		end = at + 1;
	}
	return null;
}

/** Returns the answers of a batch in order; null when the bytes are not an array. */
export function batchAnswers(bytes: Uint8Array): BatchAnswer[] | null {
	const decoder = new TextDecoder();
	const elements = elementsOf(bytes);
	return (
		elements &&
		elements.map(({ start, end }) => {
			const one = bytes.subarray(start, end);
			const { id } = measureJson(one, Infinity);
			return { start, end, id: id && decoder.decode(one.subarray(id.start, id.end)).trim() };
		})
	);
}
