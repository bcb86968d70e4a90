import { JsonNumber, type JsonValue } from '#lib/rpc/json.ts';

/** The body is not JSON; the message is that of the trading node's parser (serde_json). */
export class JsonSyntaxError extends Error {
	constructor(what: string, text: string, at: number) {
		const before = text.slice(0, at);
		const line = before.split('\n').length;
		const column = Buffer.byteLength(before.slice(before.lastIndexOf('\n') + 1));
		super(`${what} at line ${line} column ${column}`);
		this.name = 'JsonSyntaxError';
	}
}

const DEEPEST = 127;
/** Characters of a string that stand for themselves: no quotes, backslashes or control characters. */
// eslint-disable-next-line no-control-regex
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const ESCAPES: ReadonlyMap<string, string> = new Map([
	['"', '"'],
	['\\', '\\'],
	['/', '/'],
	['b', '\b'],
	['f', '\f'],
	['n', '\n'],
	['r', '\r'],
	['t', '\t']
]);

class Parser {
	readonly #text: string;
	#at = 0;
	#depth = 0;

	constructor(text: string) {
		this.#text = text;
	}

	/** An error after the last character read. */
	#error(what: string): JsonSyntaxError {
		return new JsonSyntaxError(what, this.#text, this.#at);
	}

	/** An error at the next character. */
	#peekError(what: string): JsonSyntaxError {
		return new JsonSyntaxError(what, this.#text, Math.min(this.#text.length, this.#at + 1));
	}

	#peek(): string | undefined {
		while (' \n\r\t'.includes(this.#text[this.#at] ?? 'x')) this.#at += 1;
		return this.#text[this.#at];
	}

	whole(): JsonValue {
		const value = this.#value();
		if (this.#peek() !== undefined) throw this.#peekError('trailing characters');
		return value;
	}

	#value(): JsonValue {
		const next = this.#peek();
		if (next === undefined) throw this.#peekError('EOF while parsing a value');
		if (next === '{') return this.#nested(() => this.#object());
		if (next === '[') return this.#nested(() => this.#array());
		if (next === '"') return this.#string();
		if (next === 'n') return this.#word('null', null);
		if (next === 't') return this.#word('true', true);
		if (next === 'f') return this.#word('false', false);
		if (next === '-' || (next >= '0' && next <= '9')) return this.#number();
		throw this.#peekError('expected value');
	}

	#nested<T>(read: () => T): T {
		this.#depth += 1;
		if (this.#depth > DEEPEST) throw this.#peekError('recursion limit exceeded');
		this.#at += 1;
		const value = read();
		this.#depth -= 1;
		return value;
	}

	#word(word: string, value: null | boolean): null | boolean {
		for (const letter of word) {
			const found = this.#text[this.#at];
			if (found === undefined) throw this.#error('EOF while parsing a value');
			this.#at += 1;
			if (found !== letter) throw this.#error('expected ident');
		}
		return value;
	}

	#isDigit(): boolean {
		const next = this.#text[this.#at];
		return next !== undefined && next >= '0' && next <= '9';
	}

	#digits(): void {
		while (this.#isDigit()) this.#at += 1;
	}

	/** Reads the first digit of a number part; an error is reported after the character found instead. */
	#firstDigit(): void {
		if (this.#text[this.#at] === undefined) throw this.#error('EOF while parsing a value');
		const isDigit = this.#isDigit();
		this.#at += 1;
		if (!isDigit) throw this.#error('invalid number');
	}

	#number(): JsonNumber {
		const start = this.#at;
		if (this.#text[this.#at] === '-') this.#at += 1;
		const isZero = this.#text[this.#at] === '0';
		this.#firstDigit();
		if (isZero && this.#isDigit()) throw this.#peekError('invalid number');
		this.#digits();
		if (this.#text[this.#at] === '.') {
			this.#at += 1;
			this.#firstDigit();
			this.#digits();
		}
		if (/[eE]/.test(this.#text[this.#at] ?? '')) {
			this.#at += 1;
			if (/[-+]/.test(this.#text[this.#at] ?? '')) this.#at += 1;
			this.#firstDigit();
			this.#digits();
		}
		return new JsonNumber(this.#text.slice(start, this.#at));
	}

	#array(): JsonValue[] {
		const items: JsonValue[] = [];
		for (;;) {
			const next = this.#peek();
			if (next === undefined) throw this.#peekError('EOF while parsing a list');
			if (next === ']' && items.length === 0) break;
			if (items.length > 0) {
				if (next === ']') break;
				if (next !== ',') throw this.#peekError('expected `,` or `]`');
				this.#at += 1;
				if (this.#peek() === ']') throw this.#peekError('trailing comma');
			}
			items.push(this.#value());
		}
		this.#at += 1;
		return items;
	}

	#object(): { [name: string]: JsonValue } {
		const members = new Map<string, JsonValue>();
		for (let first = true; ; first = false) {
			let next = this.#peek();
			if (next === undefined) throw this.#peekError('EOF while parsing an object');
			if (next === '}') break;
			if (!first) {
				if (next !== ',') throw this.#peekError('expected `,` or `}`');
				this.#at += 1;
				next = this.#peek();
				if (next === '}') throw this.#peekError('trailing comma');
				if (next === undefined) throw this.#peekError('EOF while parsing a value');
			}
			if (next !== '"') throw this.#peekError('key must be a string');
			const name = this.#string();
			const colon = this.#peek();
			if (colon === undefined) throw this.#peekError('EOF while parsing an object');
			if (colon !== ':') throw this.#peekError('expected `:`');
			this.#at += 1;
			members.set(name, this.#value());
		}
		this.#at += 1;
		return Object.fromEntries(members);
	}

	#string(): string {
		this.#at += 1;
		let text = '';
		for (;;) {
			// Consumes a run of plain characters at once.
			PLAIN.lastIndex = this.#at;
			const run = PLAIN.exec(this.#text)?.[0] ?? '';
			text += run;
			this.#at += run.length;
			const letter = this.#text[this.#at];
			if (letter === undefined) throw this.#error('EOF while parsing a string');
			this.#at += 1;
			if (letter === '"') return text;
			if (letter !== '\\') {
				throw this.#error('control character (\\u0000-\\u001F) found while parsing a string');
			}
			text += this.#escape();
		}
	}

	#escape(): string {
		const letter = this.#text[this.#at];
		if (letter === undefined) throw this.#error('EOF while parsing a string');
		this.#at += 1;
		if (letter !== 'u') {
			const plain = ESCAPES.get(letter);
			if (plain === undefined) throw this.#error('invalid escape');
			return plain;
		}
		const first = this.#hex();
		if (first >= 0xdc00 && first <= 0xdfff)
			throw this.#error('lone leading surrogate in hex escape');
		if (first < 0xd800 || first > 0xdbff) return String.fromCharCode(first);
		for (const wanted of '\\u') {
			const found = this.#text[this.#at];
			if (found === undefined) throw this.#error('EOF while parsing a string');
			this.#at += 1;
			if (found !== wanted) throw this.#error('unexpected end of hex escape');
		}
		const second = this.#hex();
		if (second < 0xdc00 || second > 0xdfff) {
			throw this.#error('lone leading surrogate in hex escape');
		}
		return String.fromCharCode(first, second);
	}

	#hex(): number {
		const digits = this.#text.slice(this.#at, this.#at + 4);
		if (digits.length < 4) {
			this.#at = this.#text.length;
			throw this.#error('EOF while parsing a string');
		}
		this.#at += 4;
		if (!/^[0-9a-fA-F]{4}$/.test(digits)) throw this.#error('invalid escape');
		return Number.parseInt(digits, 16);
	}
}

/** Parses JSON; numbers keep their digits. @throws {JsonSyntaxError} */
export const parseBody = (text: string): JsonValue => new Parser(text).whole();
