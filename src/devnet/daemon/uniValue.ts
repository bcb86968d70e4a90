/**
 * JSON as the daemon's own library (UniValue) reads it: of members with one name the first is found, and half of a
 * surrogate pair is no text.
 */
import { JsonNumber, parseJson, type JsonValue } from '#lib/rpc/json.ts';

const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"/y;
const WORD = /[^\s,\]}]+/y;
const BETWEEN = /[\s,:]*/y;

/** Reads a text whose form was looked at already. */
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

	/** Whether a list or an object ends here. */
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

/** @throws where the daemon answers that it cannot parse the text */
export function readJson(text: string): JsonValue {
	parseJson(text);
	return new Reader(text).value();
}
