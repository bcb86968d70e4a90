/** Extracts raw blocks from a daemon's answer to a batch, and packs them for another thread. */
import type { RawBlock } from './decode.ts';

const QUOTE = 0x22;
const OPENING = '{"result":"';

/**
 * Returns the raw blocks in the answer that Komodo daemon 0.9.0 gives to `count` calls with the ids 0, 1, 2 and so
 * on, all in one buffer. The JSON is not parsed: its values would need several times the memory of the blocks. Null
 * for an answer in any other form, even if valid.
 */
export function blocksInUsualAnswer(body: Buffer, count: number): Uint8Array[] | null {
	const begins = `[${OPENING}`;
	if (body.toString('latin1', 0, begins.length) !== begins) return null;
	const whole = Buffer.from(new ArrayBuffer(body.length >> 1));
	const blocks: Uint8Array[] = [];
	let from = begins.length;
	let at = 0;
	for (let id = 0; id < count; id++) {
		const end = body.indexOf(QUOTE, from);
		const length = (end - from) / 2;
		// `write` stops at the first character that is not a hex digit.
		if (end < 0 || whole.write(body.toString('latin1', from, end), at, 'hex') !== length)
			return null;
		const follows = `","error":null,"id":${id}}${id + 1 < count ? `,${OPENING}` : ']'}`;
		from = end + follows.length;
		if (body.toString('latin1', end, from) !== follows) return null;
		blocks.push(new Uint8Array(whole.buffer, at, length));
		at += length;
	}
	return body.toString('latin1', from).trim() === '' ? blocks : null;
}

/** Blocks in a few buffers, because each buffer that is sent to another thread costs time. */
export interface PackedBlocks {
	bytes: Uint8Array;
	hashes: Uint8Array;
	/** The length of each block, followed by that of its hashes; 0 for no hashes. */
	lengths: Uint32Array;
}

/** @param blocks whose bytes are contiguous in one buffer */
export function packBlocks(blocks: readonly RawBlock[]): PackedBlocks {
	const [first] = blocks;
	const lengths = new Uint32Array(blocks.length * 2);
	blocks.forEach(({ bytes, hashes }, at) =>
		lengths.set([bytes.length, hashes?.length ?? 0], at * 2)
	);
	const sum = (part: 0 | 1): number =>
		lengths.reduce((all, length, at) => (at % 2 === part ? all + length : all), 0);
	const bytes = new Uint8Array(
		first?.bytes.buffer ?? new ArrayBuffer(0),
		first?.bytes.byteOffset,
		sum(0)
	);
	const hashes = new Uint8Array(sum(1));
	let at = 0;
	for (const { hashes: own } of blocks) {
		if (own === null) continue;
		hashes.set(own, at);
		at += own.length;
	}
	return { bytes, hashes, lengths };
}

/** The buffers of packed blocks, to be transferred with them. */
export const memoryOf = ({ bytes, hashes, lengths }: PackedBlocks): ArrayBuffer[] =>
	[bytes, hashes, lengths].map(({ buffer }) => buffer as ArrayBuffer);

/** Splits packed blocks without copying their bytes. */
export function unpackBlocks({ bytes, hashes, lengths }: PackedBlocks): RawBlock[] {
	const blocks: RawBlock[] = [];
	let at = 0;
	let hashesAt = 0;
	for (let place = 0; place < lengths.length; place += 2) {
		const [length, ofHashes] = [lengths[place]!, lengths[place + 1]!];
		blocks.push({
			bytes: bytes.subarray(at, (at += length)),
			hashes: ofHashes === 0 ? null : hashes.subarray(hashesAt, (hashesAt += ofHashes))
		});
	}
	return blocks;
}
