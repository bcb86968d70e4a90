/**
 * Addresses that look like a person's and are none: coins that are paid to a crypto-condition, or to a key that
 * everybody or nobody has, are lost.
 */
import { addressOfPubkey } from '#lib/chain/address.ts';
import { bytesToHex, hexToBytes } from '#lib/chain/bytes.ts';
import {
	BURN_PUBKEY,
	ccAddress,
	ccScript,
	EVAL,
	TOKENS_GLOBAL_PUBKEY
} from '#lib/chain/cryptocondition.ts';
import type { DaemonClient } from './lookup.ts';
import type { Gateway } from './types.ts';
import { isAppError } from '../../platform/errors/appError.ts';

/** Those of a key are many hashes, and the keys of this installation few. */
const known = new Map<string, ReadonlySet<string>>();
const MOST_KNOWN = 1_000;

/** Every address at which one key, hex, can hold tokens or module outputs. */
function conditionAddresses(pubkey: string): ReadonlySet<string> {
	let addresses = known.get(pubkey);
	if (addresses === undefined) {
		const key = hexToBytes(pubkey);
		addresses = new Set(
			Object.values(EVAL).flatMap((code) =>
				(code === EVAL.tokens ? [[code]] : [[code], [code, EVAL.tokens]]).map((evals) =>
					ccAddress(ccScript([key], evals))
				)
			)
		);
		if (known.size >= MOST_KNOWN) known.clear();
		known.set(pubkey, addresses);
	}
	return addresses;
}

/** An address whose coins nobody can spend: that of the token module, or one of a wallet for tokens. */
export type AddressTrap = 'address.token-module' | 'address.token-address';

/** Keys of the configured wallets, hex. */
export const walletKeys = (gateway: Pick<Gateway, 'daemons'>): string[] =>
	gateway.daemons().flatMap(({ pubkey }) => pubkey ?? []);

/**
 * Why coins must not be paid to an address; null when nothing is known against it.
 * @param pubkeys keys of the configured wallets, hex
 */
export function knownTrap(address: string, pubkeys: readonly string[]): AddressTrap | null {
	for (const key of [TOKENS_GLOBAL_PUBKEY, BURN_PUBKEY]) {
		if (addressOfPubkey(key) === address || conditionAddresses(bytesToHex(key)).has(address)) {
			return 'address.token-module';
		}
	}
	for (const pubkey of pubkeys) {
		if (conditionAddresses(pubkey).has(address)) {
			return 'address.token-address';
		}
	}
	return null;
}

/** What the destination chain shows about an address; `untold` by a daemon without an address index. */
type AddressHistory = 'unseen' | 'person' | 'condition' | 'untold';

/** Komodo daemon 0.9.0, `GetAddressIndex`: "No information available for address", without `addressindex`. */
const NO_ADDRESS_INDEX = -5;

/**
 * Whether crypto-conditions were paid to any of these addresses: they stand in an index of their own, which is asked
 * for with a second parameter. Null where the daemon does not know.
 * @throws {AppError} `daemon`
 */
export async function haveConditions(
	client: DaemonClient,
	addresses: string[]
): Promise<boolean | null> {
	try {
		const { received } = await client.call('getaddressbalance', { addresses }, 1);
		return received > 0n;
	} catch (error) {
		if (isAppError(error, 'daemon') && error.params.rpcCode === NO_ADDRESS_INDEX) return null;
		throw error;
	}
}

/** What was paid to an address. @throws {AppError} `daemon` */
export async function addressHistory(
	client: DaemonClient,
	address: string
): Promise<AddressHistory> {
	const hasConditions = await haveConditions(client, [address]);
	if (hasConditions === null) return 'untold';
	if (hasConditions) return 'condition';
	const coins = await client.call('getaddressbalance', { addresses: [address] });
	return coins.received > 0n ? 'person' : 'unseen';
}
