/** Whether a daemon has its whole chain: what its peers claim to have is proved by nobody. */
import type { DaemonMethod, DaemonParams, DaemonResult } from '#lib/rpc/daemon/index.ts';

/** Calls the daemon. */
type Ask = <M extends DaemonMethod>(
	method: M,
	...params: DaemonParams<M>
) => Promise<DaemonResult<M>>;

/** A tip older than this may be one of a daemon that was stopped. Seconds. */
const FRESH_S = 3_600;

/**
 * `longestchain` is the highest that any peer has claimed (Komodo daemon 0.9.0: `komodo_longestchain`), so that one peer
 * could keep a daemon from ever having all. Behind the claim of a few it has them all the same when its newest block is
 * fresh, it knows of no header beyond it, and most of its peers know of none.
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
