/** Decides whether a daemon has its whole chain although the heights that its peers claim are unproven. */
import { reported } from '#lib/rpc/tolerant.ts';
import type { DaemonResult } from '#lib/rpc/daemon/index.ts';
import type { DaemonClient } from './types.ts';

/** Age in seconds beyond which the tip may be that of a daemon that was stopped for a while. */
const FRESH_S = 3_600;

/**
 * Returns whether the daemon has all blocks. `longestchain` is the highest height that any peer has claimed (Komodo
 * daemon 0.9.0: `komodo_longestchain`), so one peer could make the daemon look incomplete forever. A daemon below
 * that height counts as complete when its tip is fresh, it knows no header beyond its tip, and fewer than half of
 * its peers claim a greater height. Where it does not report `longestchain`, its headers and peers alone decide. Zero
 * is no height: the daemon has no peers, as on a chain of one daemon, or they do not agree on a height. Then headers and
 * peers decide, too: a chain that mines only when there is something to mine can rest for days, and what a caller holds
 * back could be what its next block waits for.
 *
 * @param mayBeOld whether the daemon may have been started a moment ago from an old copy of its data, as after a disaster:
 *   then a daemon that knows no height of its peers needs a fresh tip
 * @throws {AppError} `daemon`
 */
export async function hasAllBlocks(
	ask: DaemonClient['call'],
	info: DaemonResult<'getinfo'>,
	mayBeOld: boolean
): Promise<boolean> {
	const { blocks } = info;
	const longest = reported(info, 'longestchain');
	if (longest !== null) {
		if (longest > 0 && blocks >= longest) return true;
		const isStale = Math.abs(Date.now() / 1_000 - info.tiptime) > FRESH_S;
		if (isStale && (longest > 0 || mayBeOld)) return false;
	}
	const { headers } = await ask('getblockchaininfo');
	if (headers > blocks) return false;
	const peers = await ask('getpeerinfo');
	if (longest === 0 && peers.length === 0) return true;
	const ahead = peers.filter((peer) => {
		const claimed = reported(peer, 'startingheight') ?? Infinity;
		return Math.max(claimed, reported(peer, 'synced_headers') ?? 0) > blocks;
	});
	return ahead.length * 2 < peers.length;
}
