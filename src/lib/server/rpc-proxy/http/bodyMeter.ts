/** Limits on the structure of a JSON-RPC body, enforced while it arrives, before it is parsed. */
export interface ShapeLimits {
	/** Calls of a batch. */
	calls: number;
	/** Elements and members of all arrays and objects in total. */
	values: number;
	/** Nesting depth. */
	depth: number;
	/** Characters of one number or keyword. */
	digits: number;
}

export type ShapeFault = 'too-many-calls' | 'too-many-values' | 'too-deep' | 'long-number';

export const SHAPE: ShapeLimits = { calls: 200, values: 25_000, depth: 64, digits: 1_024 };

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
/** Code point below or at which all JSON whitespace lies. */
const SPACE = 0x20;
/** Longer than any method name. */
const LONGEST_NAME = 64;

/**
 * Scans a JSON text byte by byte, in pieces as they arrive, and counts what makes it expensive to parse.
 * Invalid JSON is left to the parser: it is small enough by then.
 */
export class BodyMeter {
	/** Values of the calls' `method` members seen so far. Escape sequences are not decoded. */
	readonly methods = new Set<string>();
	readonly #limits: ShapeLimits;
	#depth = 0;
	/** Depth of a call's own members: 1, or 2 in a batch. 0 before the first bracket. */
	#callDepth = 0;
	#values = 0;
	#calls = 1;
	#digits = 0;
	#inString = false;
	#escaped = false;
	/** The current string, if it may be a member name or a method; else null. */
	#text: string | null = null;
	#member: string | null = null;
	#afterColon = false;

	constructor(limits: ShapeLimits) {
		this.#limits = limits;
	}

	/** Scans a piece; returns the limit that is exceeded so far, or null. */
	feed(piece: Buffer): ShapeFault | null {
		for (let at = 0; at < piece.length; at += 1) {
			if (this.#inString && !this.#escaped) {
				// Most of a large body is one long string, of which nothing is kept.
				const from = at;
				while (at < piece.length && piece[at] !== QUOTE && piece[at] !== BACKSLASH) at += 1;
				this.#keep(piece, from, at);
				if (at === piece.length) return null;
			}
			const byte = piece[at]!;
			if (this.#inString) {
				this.#inText(byte);
				continue;
			}
			const fault = this.#outsideText(byte);
			if (fault !== null) return fault;
		}
		return null;
	}

	#inText(byte: number): void {
		if (this.#escaped) this.#escaped = false;
		else if (byte === BACKSLASH) {
			this.#escaped = true;
			this.#text = null;
		} else if (byte === QUOTE) {
			this.#inString = false;
			this.#textEnded();
		}
	}

	/** Appends to the current string while it may still be a name. */
	#keep(piece: Buffer, from: number, to: number): void {
		if (this.#text === null || from === to) return;
		const isShort = this.#text.length + to - from <= LONGEST_NAME;
		this.#text = isShort ? this.#text + piece.toString('latin1', from, to) : null;
	}

	#textEnded(): void {
		if (this.#depth !== this.#callDepth) return;
		if (!this.#afterColon) this.#member = this.#text;
		else if (this.#member === 'method' && this.#text !== null) this.methods.add(this.#text);
	}

	#outsideText(byte: number): ShapeFault | null {
		switch (byte) {
			case QUOTE:
				this.#digits = 0;
				this.#inString = true;
				this.#text = this.#depth === this.#callDepth ? '' : null;
				return null;
			case COLON:
				this.#digits = 0;
				if (this.#depth === this.#callDepth) this.#afterColon = true;
				return null;
			case COMMA:
				return this.#next();
			case OPEN_ARRAY:
			case OPEN_OBJECT:
				return this.#open(byte);
			case CLOSE_ARRAY:
			case CLOSE_OBJECT:
				this.#digits = 0;
				this.#depth -= 1;
				return null;
			default:
				this.#digits = byte <= SPACE ? 0 : this.#digits + 1;
				return this.#digits > this.#limits.digits ? 'long-number' : null;
		}
	}

	#next(): ShapeFault | null {
		this.#digits = 0;
		this.#afterColon = false;
		if (this.#depth === 1 && this.#callDepth === 2 && ++this.#calls > this.#limits.calls) {
			return 'too-many-calls';
		}
		return ++this.#values > this.#limits.values ? 'too-many-values' : null;
	}

	#open(byte: number): ShapeFault | null {
		this.#digits = 0;
		this.#afterColon = false;
		if (this.#callDepth === 0) this.#callDepth = byte === OPEN_ARRAY ? 2 : 1;
		if (++this.#depth > this.#limits.depth) return 'too-deep';
		return ++this.#values > this.#limits.values ? 'too-many-values' : null;
	}
}
