/** What is set aside at first for an answer that does not say how long it is. */
const FIRST = 16 * 1024;
/** When this part of what was announced has come, memory for all of it is set aside: a length alone may be a lie. */
const BELIEVED_PART = 8;

/**
 * The bytes of an answer while they come in, in one piece of memory: an answer that comes byte by byte would
 * else cost a hundred times its size. What comes whole stays where it came, as most answers do: memory beside
 * the heap makes V8 look through all of the heap.
 */
export class Collected {
	readonly #most: number;
	#announced = 0;
	#memory: Buffer<ArrayBufferLike> = Buffer.alloc(0);
	#size = 0;

	constructor(mostBytes: number) {
		this.#most = mostBytes;
	}

	/** Says how many bytes will come, so that they are not moved from one piece of memory to the next. */
	announce(bytes: number): void {
		this.#announced = Math.min(bytes, this.#most);
	}

	/** False when it is more than allowed: what came so far is dropped then. */
	add(chunk: Uint8Array): boolean {
		const size = this.#size + chunk.length;
		if (size > this.#most) {
			this.#memory = Buffer.alloc(0);
			this.#size = 0;
			return false;
		}
		if (this.#size === 0 && size === this.#announced) {
			this.#memory = Buffer.from(chunk.buffer, chunk.byteOffset, size);
			this.#size = size;
			return true;
		}
		if (size > this.#memory.length) {
			const first = this.#announced === 0 ? FIRST : Math.min(FIRST, this.#announced);
			const larger = Buffer.allocUnsafeSlow(
				Math.min(this.#most, Math.max(first, size, this.#memory.length * 2, this.#believed(size)))
			);
			this.#memory.copy(larger, 0, 0, this.#size);
			this.#memory = larger;
		}
		this.#memory.set(chunk, this.#size);
		this.#size = size;
		return true;
	}

	#believed(size: number): number {
		return size * BELIEVED_PART >= this.#announced ? this.#announced : 0;
	}

	/** All that came. */
	bytes(): Buffer {
		return this.#memory.subarray(0, this.#size);
	}
}
