/** Recipients of coins that nobody could spend again. */
import { haveConditions, knownTrap } from '../../../chains/daemon/ccAddresses.ts';
import { daemonClientOf } from '../../../chains/daemon/lookup.ts';
import { someAtATime } from '../../../platform/async/someAtATime.ts';
import { AppError, isAppError } from '../../../platform/errors/appError.ts';
import type { Payment } from '../selectUtxos.ts';
import type { Wallet } from '../wallet.ts';
import type { SendingDependencies } from './dependencies.ts';

const AT_A_TIME = 4;

/**
 * A token address looks like an address of coins, and is shown beside one. What a daemon does not tell of an address
 * stops no payment.
 * @throws {AppError} `transaction.recipient-module`, `transaction.recipient-token-address` or
 * `transaction.recipient-condition`
 */
export async function refuseTraps(
	{ gateway }: SendingDependencies,
	{ chain, daemon }: Wallet,
	payments: readonly Payment[]
): Promise<void> {
	const pubkeys = gateway.daemons().flatMap(({ pubkey }) => (pubkey === null ? [] : [pubkey]));
	for (const { address } of payments) {
		const trap = knownTrap(address, pubkeys);
		if (trap === 'address.token-module') {
			throw new AppError('transaction.recipient-module', { address });
		}
		if (trap !== null) throw new AppError('transaction.recipient-token-address', { address });
	}
	const client = daemonClientOf(gateway, daemon);
	const haveTokens = async (addresses: string[]): Promise<boolean | null> => {
		try {
			return await haveConditions(client, addresses);
		} catch (error) {
			if (isAppError(error, 'daemon')) return null;
			throw error;
		}
	};
	// One question for all of them: hardly ever is there one.
	const addresses = [...new Set(payments.map(({ address }) => address))];
	if ((await haveTokens(addresses)) !== true) return;
	await someAtATime(addresses, AT_A_TIME, async (address) => {
		if ((await haveTokens([address])) === true) {
			throw new AppError('transaction.recipient-condition', { chain, address });
		}
	});
}
