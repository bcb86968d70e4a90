import { reported } from '#lib/rpc/tolerant.ts';
import { hasAllBlocks } from '../daemon/allBlocks.ts';
import type { DaemonError } from '../daemon/daemonError.ts';
import { syncing } from '../daemon/syncing.ts';
import type { DaemonClient } from '../daemon/types.ts';

/**
 * Returns the error of a daemon that has not synced its chain, so that what it does not know may be in blocks that it
 * lacks; null when it has them all.
 * @throws {AppError} `daemon`
 */
export async function unreadBlocks(
	client: Pick<DaemonClient, 'daemon' | 'call'>
): Promise<DaemonError | null> {
	const info = await client.call('getinfo');
	if (await hasAllBlocks(client.call, info, false)) return null;
	return syncing(client, 'getinfo', info.blocks, reported(info, 'longestchain') ?? 0);
}
