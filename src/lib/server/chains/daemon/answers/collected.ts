/** The least that is set aside for an answer. */
const FIRST = 16 * 1024;

/**
 * The bytes of an answer while they come in, in one piece of memory: an answer that comes byte by byte would
 * else cost a hundred times its size.
 */
export class Collected {
	readonly #most: number;
	#memory = Buffer.alloc(0);
	#size = 0;

	constructor(mostBytes: number) {
		this.#most = mostBytes;
	}

	/** False when it is more than allowed: what came so far is dropped then. */
	add(chunk: Uint8Array): boolean {
		const size = this.#size + chunk.length;
		if (size > this.#most) {
			this.#memory = Buffer.alloc(0);
			this.#size = 0;
			return false;
		}
		if (size > this.#memory.length) {
			const larger = Buffer.allocUnsafeSlow(
				Math.min(this.#most, Math.max(FIRST, size, this.#memory.length * 2))
			);
			this.#memory.copy(larger, 0, 0, this.#size);
			this.#memory = larger;
		}
		this.#memory.set(chunk, this.#size);
		this.#size = size;
		return true;
	}

	/** All that came. */
	bytes(): Buffer {
		return this.#memory.subarray(0, this.#size);
	}
}
