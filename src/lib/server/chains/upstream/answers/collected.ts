import { setImmediate } from 'node:timers/promises';
import type { Awaitable } from '../../../platform/async/awaitable.ts';

/**
 * Bytes. Smaller chunks are packed into blocks of this size: an answer that arrives byte by byte would otherwise
 * use a hundred times its size in memory.
 */
const BLOCK = 16 * 1024;
/** Bytes copied before yielding to the event loop, so that other requests are not held up. */
const COPIED_AT_ONCE = 2 * 1024 * 1024;

/** Whether a chunk is kept without copying: it must not keep a buffer alive that is much larger than itself. */
const isWorthKeeping = ({ length, buffer }: Uint8Array): boolean =>
	length >= BLOCK && length * 2 >= buffer.byteLength;

/**
 * Collects the bytes of an answer as they arrive. An answer of one chunk, as most are, is never copied; a longer
 * one is copied once, when its bytes are requested, whatever length was announced.
 */
export class Collected {
	readonly #most: number;
	#blocks: Buffer<ArrayBufferLike>[] = [];
	/** Free bytes at the end of the last block. */
	#room = 0;
	#size = 0;

	constructor(mostBytes: number) {
		this.#most = mostBytes;
	}

	/** Adds a chunk. Returns false, and drops all bytes so far, when the total exceeds the limit. */
	add(chunk: Uint8Array): boolean {
		const size = this.#size + chunk.length;
		if (size > this.#most) {
			this.#keep([], 0);
			return false;
		}
		const isFirst = this.#size === 0;
		this.#size = size;
		if (isFirst || isWorthKeeping(chunk)) {
			this.#trim();
			this.#blocks.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length));
		} else this.#pack(chunk);
		return true;
	}

	/** Returns all bytes as one buffer. */
	bytes(): Buffer {
		this.#trim();
		if (this.#blocks.length !== 1) this.#keep([Buffer.concat(this.#blocks)], this.#size);
		return this.#blocks[0]!;
	}

	/** Returns all bytes as one buffer; a long answer is joined in parts. Nothing may be added meanwhile. */
	whole(): Awaitable<Buffer> {
		return this.#size <= COPIED_AT_ONCE ? this.bytes() : this.#joined();
	}

	async #joined(): Promise<Buffer> {
		this.#trim();
		const all = Buffer.allocUnsafeSlow(this.#size);
		let at = 0;
		let copied = 0;
		for (const block of this.#blocks) {
			at += block.copy(all, at);
			copied += block.length;
			if (copied < COPIED_AT_ONCE) continue;
			await setImmediate();
			copied = 0;
		}
		this.#keep([all], at);
		return all;
	}

	#keep(blocks: Buffer<ArrayBufferLike>[], size: number): void {
		this.#blocks = blocks;
		this.#room = 0;
		this.#size = size;
	}

	#pack(chunk: Uint8Array): void {
		let from = 0;
		while (from < chunk.length) {
			if (this.#room === 0) {
				this.#blocks.push(Buffer.allocUnsafeSlow(BLOCK));
				this.#room = BLOCK;
			}
			const part = chunk.subarray(from, from + this.#room);
			this.#blocks.at(-1)!.set(part, BLOCK - this.#room);
			this.#room -= part.length;
			from += part.length;
		}
	}

	/** Cuts the unused end off the last block. */
	#trim(): void {
		if (this.#room === 0) return;
		this.#blocks.push(this.#blocks.pop()!.subarray(0, -this.#room));
		this.#room = 0;
	}
}
