/**
 * Parses JSON like the daemon's library (UniValue): of duplicate members the first one counts, and an
 * unpaired surrogate makes the text invalid.
 */
import { JsonNumber, parseJson, type JsonValue } from '#lib/rpc/json.ts';

const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"/y;
const WORD = /[^\s,\]}]+/y;
const BETWEEN = /[\s,:]*/y;

/** Parses a text whose syntax was checked before. */
class Reader {
	readonly #text: string;
	#at = 0;

	constructor(text: string) {
		this.#text = text;
	}

	#take(pattern: RegExp): string {
		pattern.lastIndex = this.#at;
		const [found] = pattern.exec(this.#text)!;
		this.#at += found.length;
		return found;
	}

	/** Consumes the end of an array or object, if it is next. */
	#ends(): boolean {
		this.#take(BETWEEN);
		const isEnd = ']}'.includes(this.#text[this.#at]!);
		if (isEnd) this.#at += 1;
		return isEnd;
	}

	#string(): string {
		const value = JSON.parse(this.#take(STRING)) as string;
		if (!value.isWellFormed()) throw new SyntaxError('half of a surrogate pair');
		return value;
	}

	value(): JsonValue {
		this.#take(BETWEEN);
		const begin = this.#text[this.#at];
		if (begin === '"') return this.#string();
		if (begin !== '[' && begin !== '{') {
			const word = this.#take(WORD);
			return /^[-\d]/.test(word) ? new JsonNumber(word) : (JSON.parse(word) as boolean | null);
		}
		this.#at += 1;
		if (begin === '[') {
			const list: JsonValue[] = [];
			while (!this.#ends()) list.push(this.value());
			return list;
		}
		const members = new Map<string, JsonValue>();
		while (!this.#ends()) {
			const name = this.#string();
			const value = this.value();
			if (!members.has(name)) members.set(name, value);
		}
		return Object.fromEntries(members);
	}
}

/** Parses JSON. @throws when the daemon would answer with a parse error */
export function readJson(text: string): JsonValue {
	parseJson(text);
	return new Reader(text).value();
}
