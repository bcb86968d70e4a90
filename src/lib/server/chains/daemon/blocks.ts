/** Questions about the blocks of a chain. */
import { isNotFound } from './notFound.ts';
import type { DaemonClient } from './types.ts';

/** Returns whether a block is part of the current chain. @throws {AppError} `daemon` */
export async function blockStands(client: DaemonClient, blockhash: string): Promise<boolean> {
	try {
		const header = await client.call('getblockheader', blockhash);
		return typeof header !== 'string' && header.rawconfirmations >= 1;
	} catch (error) {
		if (isNotFound(error)) return false;
		throw error;
	}
}

/** Tolerated difference between the clocks of two chains, in seconds. */
const CLOCK_SLACK = 2 * 3600;

async function timeOfBlock(client: DaemonClient, blockhash: string): Promise<number> {
	const header = await client.call('getblockheader', blockhash);
	return typeof header === 'string' ? 0 : header.time;
}

/**
 * Returns the first block of the destination that may hold the import of a burn, by the time of the burn's block.
 * @throws {AppError} `daemon`
 */
export async function firstBlockSince(
	source: DaemonClient,
	blockhash: string,
	target: DaemonClient
): Promise<number> {
	const since = (await timeOfBlock(source, blockhash)) - CLOCK_SLACK;
	let { blocks: high } = await target.call('getinfo');
	let low = 1;
	while (low < high) {
		const middle = Math.floor((low + high) / 2);
		const time = await timeOfBlock(target, await target.call('getblockhash', middle));
		if (time < since) low = middle + 1;
		else high = middle;
	}
	return low;
}
