import type { DaemonResult } from '#lib/rpc/daemon/index.ts';
import { isAppError } from '../../platform/errors/appError.ts';

/** The chain whose daemon counts its balance once for each block. */
const COUNTED_BY_BLOCK = 'KMD';

/**
 * Satoshi of a daemon's wallet; null without one. What the daemon of KMD says of itself was counted some seconds after
 * its newest block, and nothing when it starts: its wallet is asked. (Komodo daemon 0.9.0: `komodo_update_interest`.)
 */
export async function balanceOf(
	{ name, balance }: Pick<DaemonResult<'getinfo'>, 'name' | 'balance'>,
	ask: () => Promise<DaemonResult<'getwalletinfo'>>
): Promise<bigint | null> {
	if (balance === undefined || name !== COUNTED_BY_BLOCK) return balance ?? null;
	try {
		return (await ask()).balance;
	} catch (error) {
		if (isAppError(error, 'daemon')) return balance;
		throw error;
	}
}
