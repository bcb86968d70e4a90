import type { MIMEType } from 'node:util';
import type { BodyLimits } from './bodyLimits.ts';
import { LINES_TYPE, PARTS_TYPE } from './contentType.ts';

/** Why a body is refused: too large, malformed, or of an unsupported type. */
export type BodyFault = 'too-large' | 'too-many-fields' | 'long-name' | 'broken' | 'not-taken';

/** Counts the fields of a body while it arrives in pieces. */
interface FieldCounter {
	/** Counts a piece; returns the limit that is exceeded so far, or null. */
	feed(piece: Uint8Array): BodyFault | null;
}

const AND = '&'.charCodeAt(0);
const EQUALS = '='.charCodeAt(0);

/** Counts the fields of a URL-encoded form, `a=1&b=2`. */
class LineCounter implements FieldCounter {
	readonly #limits: BodyLimits;
	#fields = 1;
	#nameBytes = 0;
	#inName = true;

	constructor(limits: BodyLimits) {
		this.#limits = limits;
	}

	feed(piece: Uint8Array): BodyFault | null {
		const { fields, nameBytes } = this.#limits;
		for (const byte of piece) {
			if (byte === AND) {
				this.#inName = true;
				this.#nameBytes = 0;
				if (++this.#fields > fields) return 'too-many-fields';
			} else if (byte === EQUALS) this.#inName = false;
			else if (this.#inName && ++this.#nameBytes > nameBytes) return 'long-name';
		}
		return null;
	}
}

/** Maximum length of a multipart boundary (RFC 2046, 5.1.1). */
const LONGEST_BOUNDARY = 70;
const HEADER_END = Buffer.from('\r\n\r\n');

/** Counts the parts of a multipart form, and the header bytes of each. */
class PartCounter implements FieldCounter {
	readonly #limits: BodyLimits;
	readonly #boundary: Buffer;
	/** Bytes to prepend to the next piece: a boundary or the headers of a part may be split between pieces. */
	#rest: Uint8Array = new Uint8Array();
	#parts = 0;
	#inHeader = false;

	constructor(limits: BodyLimits, boundary: string) {
		this.#limits = limits;
		this.#boundary = Buffer.from(`--${boundary}`);
	}

	feed(piece: Uint8Array): BodyFault | null {
		const bytes = Buffer.concat([this.#rest, piece]);
		let at = 0;
		for (;;) {
			const mark = this.#inHeader ? HEADER_END : this.#boundary;
			const found = bytes.indexOf(mark, at);
			const headerBytes = (found < 0 ? bytes.length : found) - at;
			if (this.#inHeader && headerBytes > this.#limits.nameBytes) return 'long-name';
			if (found < 0) {
				const keep = this.#inHeader ? headerBytes : mark.length - 1;
				this.#rest = bytes.subarray(Math.max(at, bytes.length - keep));
				return null;
			}
			at = found + mark.length;
			this.#inHeader = !this.#inHeader;
			// The closing boundary counts as one more part.
			if (this.#inHeader && ++this.#parts > this.#limits.fields + 1) return 'too-many-fields';
		}
	}
}

const NOTHING_TO_COUNT: FieldCounter = { feed: () => null };

/** Returns the counter for a body of this type; bodies that are not forms have no fields. */
export function fieldCounter(type: MIMEType | null, limits: BodyLimits): FieldCounter | BodyFault {
	if (type?.essence === LINES_TYPE) return new LineCounter(limits);
	if (type?.essence !== PARTS_TYPE) return NOTHING_TO_COUNT;
	const boundary = type.params.get('boundary') ?? '';
	if (boundary === '' || boundary.length > LONGEST_BOUNDARY) return 'broken';
	return new PartCounter(limits, boundary);
}
