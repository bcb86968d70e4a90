/** Recipients of coins that nobody could spend again. */
import type { TrapCode } from '#lib/messages/denials.ts';
import type { ErrorCode } from '#lib/messages/errors/index.ts';
import { someAtATime } from '../../platform/async/someAtATime.ts';
import { AppError, isAppError } from '../../platform/errors/appError.ts';
import { haveConditions, knownTrap, walletKeys, type AddressTrap } from './ccAddresses.ts';
import { daemonClientOf } from './lookup.ts';
import type { Gateway } from './types.ts';

const AT_A_TIME = 4;
/** What a payment to such an address is refused with. */
export const TRAP_CODES = {
	'address.token-module': 'transaction.recipient-module',
	'address.token-address': 'transaction.recipient-token-address'
} as const satisfies Record<AddressTrap, ErrorCode>;

/** Whether a recipient of coins was refused. */
export const isTrap = (error: unknown): error is AppError<TrapCode> =>
	isAppError(error, ...Object.values(TRAP_CODES), 'transaction.recipient-condition');

/**
 * A token address looks like an address of coins, and is shown beside one. What a daemon does not tell of an address
 * stops no payment.
 * @param of a chain, and the daemon that pays
 * @param recipients addresses
 * @throws {AppError} `transaction.recipient-module`, `transaction.recipient-token-address` or
 * `transaction.recipient-condition`
 */
export async function refuseTraps(
	gateway: Gateway,
	{ chain, daemon }: { chain: string; daemon: string },
	recipients: readonly string[]
): Promise<void> {
	const pubkeys = walletKeys(gateway);
	for (const address of recipients) {
		const trap = knownTrap(address, pubkeys);
		if (trap !== null) throw new AppError(TRAP_CODES[trap], { address });
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
	const addresses = [...new Set(recipients)];
	if ((await haveTokens(addresses)) !== true) return;
	await someAtATime(addresses, AT_A_TIME, async (address) => {
		if ((await haveTokens([address])) === true) {
			throw new AppError('transaction.recipient-condition', { chain, address });
		}
	});
}
