/** Refuses recipients whose coins could never be spent again. */
import type { TrapCode } from '#lib/messages/denials.ts';
import type { ErrorCode } from '#lib/messages/errors/index.ts';
import { someAtATime } from '../../platform/async/someAtATime.ts';
import { AppError, isAppError } from '../../platform/errors/appError.ts';
import { haveConditions, knownTrap, walletKeys, type AddressTrap } from './ccAddresses.ts';
import { daemonClientOf } from './daemonClient.ts';
import type { Gateway } from './types.ts';

const AT_A_TIME = 4;
/** Error code for each kind of such address. */
export const TRAP_CODES = {
	'address.token-module': 'transaction.recipient-module',
	'address.token-address': 'transaction.recipient-token-address'
} as const satisfies Record<AddressTrap, ErrorCode>;

/** Whether the error is the refusal of a recipient. */
export const isTrap = (error: unknown): error is AppError<TrapCode> =>
	isAppError(error, ...Object.values(TRAP_CODES), 'transaction.recipient-condition');

/**
 * Refuses payments to token and module addresses. A token address looks like an ordinary one and is displayed next
 * to it. A daemon without the needed index, or that fails, does not stop a payment.
 * @param of the chain, and the daemon that pays
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
	const haveTokens = async (addresses: readonly string[]): Promise<boolean | null> => {
		try {
			return await haveConditions(client, addresses);
		} catch (error) {
			if (isAppError(error, 'daemon')) return null;
			throw error;
		}
	};
	// One question for all addresses first: hardly ever is one of them affected.
	const addresses = [...new Set(recipients)];
	if ((await haveTokens(addresses)) !== true) return;
	await someAtATime(addresses, AT_A_TIME, async (address) => {
		if ((await haveTokens([address])) === true) {
			throw new AppError('transaction.recipient-condition', { chain, address });
		}
	});
}
