/** Decides whether a daemon has its whole chain although the heights that its peers claim are unproven. */
import type { DaemonMethod, DaemonParams, DaemonResult } from '#lib/rpc/daemon/index.ts';

/** Calls a method of the daemon. */
type Ask = <M extends DaemonMethod>(
	method: M,
	...params: DaemonParams<M>
) => Promise<DaemonResult<M>>;

/** Age in seconds beyond which the tip may be that of a daemon that was stopped for a while. */
const FRESH_S = 3_600;

/**
 * Returns whether the daemon has all blocks. `longestchain` is the highest height that any peer has claimed (Komodo
 * daemon 0.9.0: `komodo_longestchain`), so one peer could make the daemon look incomplete forever. A daemon below
 * that height counts as complete when its tip is fresh, it knows no header beyond its tip, and fewer than half of
 * its peers claim a greater height.
 * @throws {AppError} `daemon`
 */
export async function hasAllBlocks(
	ask: Ask,
	{ blocks, longestchain, tiptime }: DaemonResult<'getinfo'>
): Promise<boolean> {
	if (blocks >= longestchain) return true;
	if (Math.abs(Date.now() / 1_000 - tiptime) > FRESH_S) return false;
	const { headers } = await ask('getblockchaininfo');
	if (headers > blocks) return false;
	const peers = await ask('getpeerinfo');
	const ahead = peers.filter(
		({ startingheight, synced_headers: proved = 0 }) => Math.max(startingheight, proved) > blocks
	);
	return ahead.length * 2 < peers.length;
}
