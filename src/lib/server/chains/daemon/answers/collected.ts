import { setImmediate } from 'node:timers/promises';
import type { Awaitable } from '../../../platform/async/awaitable.ts';

/**
 * Smaller pieces are packed into blocks of this size: an answer that comes byte by byte would else cost a hundred times
 * its size.
 */
const BLOCK = 16 * 1024;
/** More is not copied at once: all other requests would wait for it. */
const COPIED_AT_ONCE = 2 * 1024 * 1024;

/** Whether a piece stays where it came: it must not hold much more memory than its own. */
const isWorthKeeping = ({ length, buffer }: Uint8Array): boolean =>
	length >= BLOCK && length * 2 >= buffer.byteLength;

/**
 * The bytes of an answer while they come in. They stay where they came until they are asked for: what comes whole, as
 * most answers do, is never copied, and what is long is copied once, whatever length was announced.
 */
export class Collected {
	readonly #most: number;
	#blocks: Buffer<ArrayBufferLike>[] = [];
	/** What is free at the end of the last block. */
	#room = 0;
	#size = 0;

	constructor(mostBytes: number) {
		this.#most = mostBytes;
	}

	/** False when it is more than allowed: what came so far is dropped then. */
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

	/** All that came, in one piece. */
	bytes(): Buffer {
		this.#trim();
		if (this.#blocks.length !== 1) this.#keep([Buffer.concat(this.#blocks)], this.#size);
		return this.#blocks[0]!;
	}

	/** All that came, in one piece; what is long is put together a part at a time. Nothing may be added meanwhile. */
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

	/** Ends the last block where its bytes end. */
	#trim(): void {
		if (this.#room === 0) return;
		this.#blocks.push(this.#blocks.pop()!.subarray(0, -this.#room));
		this.#room = 0;
	}
}
