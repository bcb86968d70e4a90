import { bytesToHex } from '#lib/chain/bytes.ts';
import type { Index } from '../indexer/open.ts';
import { readIndexedBlock } from '../lists/block.ts';
import { readBlockReward, type BlockReward } from '../lists/blockReward.ts';
import { chainIdOf } from '../lists/chains.ts';
import { notarizedHeight } from '../lists/notarized.ts';
import { notarizedFor } from '../lists/reach.ts';
import { confirmationsOf, type Depth } from './confirmations.ts';

/** A block in the index. */
export interface BlockInIndex extends Depth {
	height: number;
	hash: string;
	/** Unix milliseconds. */
	time: number;
	/** Bytes. */
	size: number;
	/** Last notarized height of the chain; 0 when there is none, null when it is unknown, see {@link notarizedFor}. */
	notarized: number | null;
	previous: string | null;
	/** Seconds since the previous block, negative when its miner's clock was behind; null when unknown. */
	interval: number | null;
	/** The miner and the reward. */
	made: BlockReward;
	/** Height of the next block, which may not be indexed yet; null at the tip. */
	next: string | null;
	/** Number of its transactions. */
	total: number;
}

/**
 * Reads a block from the index; null when it is not indexed.
 * @param id height or hash
 */
export async function indexedBlock(
	index: Index,
	chain: string,
	id: string
): Promise<BlockInIndex | null> {
	const number = await chainIdOf(index, chain);
	if (number === null) return null;
	const [found, last] = await Promise.all([
		readIndexedBlock(index, number, id.length === 64 ? Buffer.from(id, 'hex') : BigInt(id)),
		notarizedHeight(index, { id: number, name: chain })
	]);
	if (found === null) return null;
	const { row, previous, reach } = found;
	const made = await readBlockReward(index, number, row.height);
	const height = Number(row.height);
	const notarized = notarizedFor(height, reach, last);
	return {
		height,
		hash: bytesToHex(row.hash),
		time: Number(row.time) * 1000,
		size: Number(row.size),
		notarized,
		previous: previous && bytesToHex(previous.hash),
		interval: previous && Number(row.time - previous.time),
		made,
		next: height < reach.tip ? String(height + 1) : null,
		total: Number(row.txs),
		...confirmationsOf(height, reach.tip, notarized)
	};
}
