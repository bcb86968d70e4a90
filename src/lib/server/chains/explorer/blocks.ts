import type { DaemonResult } from '#lib/rpc/daemon/index.ts';
import { reported } from '#lib/rpc/tolerant.ts';
import type { PageClient } from './pageClient.ts';
import { unasked } from './problem.ts';

/** A block as the daemon describes it, with the ids of its transactions. */
export type BlockFacts = Exclude<DaemonResult<'getblock'>, string>;

/**
 * Reads a block from the daemon.
 * @param id height or hash
 * @throws {AppError} `daemon`
 */
export async function readBlockFacts(
	client: PageClient,
	chain: string,
	id: string
): Promise<BlockFacts> {
	const facts = await client.call(chain, 'getblock', [id, 1]);
	if (typeof facts === 'string') throw unasked(chain, 'getblock');
	return facts;
}

/** Returns whether a reorganization removed the block from the chain. Its daemon still stores it. */
export const isTakenBack = ({ confirmations }: Pick<BlockFacts, 'confirmations'>): boolean =>
	confirmations < 0;

/** Returns the last notarized height that the daemon tells with a block; null when it leaves that out. */
export const notarizedAt = (facts: BlockFacts): number | null =>
	reported(facts, 'last_notarized_height');

/**
 * One line of a list of blocks. Time in Unix milliseconds, size in bytes; what the daemon does not report in a form
 * that can be read is null.
 */
export interface BlockLine {
	height: number;
	hash: string | null;
	time: number | null;
	transactions: number | null;
	size: number | null;
}

export interface BlockList {
	/** Newest first. */
	lines: BlockLine[];
	tip: number;
	/** Last notarized height; 0 when there is none, null when it is unknown. */
	notarized: number | null;
}

/**
 * Reads consecutive blocks, downward.
 *
 * @param from greatest height to list; the tip when undefined or above it
 */
export async function blockList(
	client: PageClient,
	chain: string,
	size: number,
	from?: number
): Promise<BlockList> {
	const tip = await client.call(chain, 'getblockcount', []);
	const start = Math.min(from ?? tip, tip);
	const heights = Array.from({ length: size }, (_, i) => start - i).filter((height) => height >= 0);
	const blocks = await Promise.all(
		heights.map(async (height) => ({
			height,
			facts: await readBlockFacts(client, chain, String(height))
		}))
	);
	return {
		tip,
		notarized: blocks[0] === undefined ? null : notarizedAt(blocks[0].facts),
		lines: blocks.map(({ height, facts }) => {
			const time = reported(facts, 'time');
			return {
				height,
				hash: reported(facts, 'hash'),
				time: time === null ? null : time * 1000,
				transactions: reported(facts, 'tx')?.length ?? null,
				size: reported(facts, 'size')
			};
		})
	};
}
