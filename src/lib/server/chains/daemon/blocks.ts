/** Questions about the blocks of a chain. */
import { blockHash, serializeHeader, type BlockHeader } from '#lib/chain/block.ts';
import { bytesToHex, NO_HASH } from '#lib/chain/bytes.ts';
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

/**
 * Returns the hash by which a chain names the block with this header. On a chain that does not use Equihash the bytes
 * do not tell it, so the daemon is asked; null when no block of the current chain has this header.
 * @param algorithm as in `DaemonInfo`
 * @throws {AppError} `daemon`
 */
export async function hashOfHeader(
	ask: DaemonClient['call'],
	algorithm: string | null,
	header: BlockHeader
): Promise<string | null> {
	if (algorithm === null || header.previousHash === NO_HASH) return blockHash(header);
	try {
		const previous = await ask('getblockheader', header.previousHash);
		const next = typeof previous === 'string' ? undefined : previous.nextblockhash;
		if (next === undefined) return null;
		const found = await ask('getblockheader', next, false);
		return found === bytesToHex(serializeHeader(header)) ? next : null;
	} catch (error) {
		if (isNotFound(error)) return null;
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
