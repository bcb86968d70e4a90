/** What a JSON-RPC body may hold. It is counted while it comes, before anything parses it. */
export interface ShapeLimits {
	/** Calls of a batch. */
	calls: number;
	/** Elements and members of all arrays and objects together. */
	values: number;
	/** Brackets within brackets. */
	depth: number;
	/** Digits and letters of one number or word. */
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
/** Spaces and line ends are at or below it. */
const SPACE = 0x20;
/** Longer than the name of any method. */
const LONGEST_NAME = 64;

/**
 * Follows a JSON text byte by byte, in pieces as they come, and counts what makes it dear to read. What is no
 * JSON is left to the parser: by then it is small enough.
 */
export class BodyMeter {
	/** What the members `method` of the calls say, as far as it was read. Escaped spellings are not decoded. */
	readonly methods = new Set<string>();
	readonly #limits: ShapeLimits;
	#depth = 0;
	/** The depth of a call's own members: 2 in a batch. 0 before the first bracket. */
	#callDepth = 0;
	#values = 0;
	#calls = 1;
	#digits = 0;
	#inString = false;
	#escaped = false;
	/** The text that is being read, where it may be a member's name or a method; null when it is neither. */
	#text: string | null = null;
	#member: string | null = null;
	#afterColon = false;

	constructor(limits: ShapeLimits) {
		this.#limits = limits;
	}

	/** What is too much in what came so far; null when nothing is. */
	feed(piece: Buffer): ShapeFault | null {
		for (let at = 0; at < piece.length; at += 1) {
			if (this.#inString && !this.#escaped) {
				// Most of a large body is one text, of which nothing is kept.
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

	/** Keeps a part of a text that may be a name. */
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
