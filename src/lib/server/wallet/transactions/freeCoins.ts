/** Coins that the daemon of a wallet can build with. */
import { sumOf } from '#lib/chain/amount.ts';
import type { Gateway } from '../../chains/daemon/types.ts';
import { withoutTimeLocks } from '../../chains/daemon/unspent.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import type { Wallet } from './wallet.ts';

/**
 * Returns the satoshi that the daemon's builders can spend. Its balance also counts outputs that are locked
 * by `lockunspent` or by a time lock. (Komodo daemon 0.9.0.)
 * @returns the balance when there are too many outputs to list; null without a wallet
 * @throws {AppError} `daemon`
 */
export async function freeCoins(
	gateway: Gateway,
	{ daemon, balance }: Pick<Wallet, 'daemon' | 'balance'>
): Promise<bigint | null> {
	if (balance === null) return null;
	try {
		const outputs = withoutTimeLocks(await gateway.call(daemon, 'listunspent', [0]));
		const own = outputs.filter(({ spendable }) => spendable);
		const free = sumOf(own.map(({ amount }) => amount));
		return free < balance ? free : balance;
	} catch (error) {
		if (isAppError(error, 'daemon.too-large')) return balance;
		throw error;
	}
}
