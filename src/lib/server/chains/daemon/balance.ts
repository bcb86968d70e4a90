import { paysInterest } from '#lib/chain/mainChain.ts';
import type { DaemonResult } from '#lib/rpc/daemon/index.ts';
import { reported } from '#lib/rpc/tolerant.ts';
import { isAppError } from '../../platform/errors/appError.ts';

/**
 * Returns the wallet balance in satoshi; null without a wallet, undefined when the daemon does not report it. The
 * daemon of KMD computes the balance in `getinfo` some seconds after each new block and not at all at start, so its
 * wallet is asked instead. (Komodo daemon 0.9.0: `komodo_update_interest`.)
 */
export async function balanceOf(
	info: Pick<DaemonResult<'getinfo'>, 'name' | 'balance'>,
	ask: () => Promise<DaemonResult<'getwalletinfo'>>
): Promise<bigint | null | undefined> {
	const balance = reported(info, 'balance');
	if (balance === undefined) return null;
	if (balance !== null && !paysInterest(reported(info, 'name') ?? '')) return balance;
	try {
		return (await ask()).balance;
	} catch (error) {
		if (isAppError(error, 'daemon')) return balance ?? undefined;
		throw error;
	}
}
