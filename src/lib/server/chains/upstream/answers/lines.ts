import { Collected } from './collected.ts';

const NEWLINE = 0x0a;

/** Splits a stream of chunks into lines. Each byte is examined once, however small the chunks are. */
export class Lines {
	readonly #most: number;
	#rest: Collected;

	/** @param mostBytes limit for one line */
	constructor(mostBytes: number) {
		this.#most = mostBytes;
		this.#rest = new Collected(mostBytes);
	}

	/** Passes each complete line, without its newline, to `hear`. Returns false when a line is too long. */
	add(chunk: Uint8Array, hear: (line: string) => void): boolean {
		let from = 0;
		for (;;) {
			const end = chunk.indexOf(NEWLINE, from);
			if (!this.#rest.add(chunk.subarray(from, end < 0 ? chunk.length : end))) return false;
			if (end < 0) return true;
			const line = this.#rest.bytes().toString('utf8');
			if (line.length > 0) this.#rest = new Collected(this.#most);
			hear(line);
			from = end + 1;
		}
	}
}
