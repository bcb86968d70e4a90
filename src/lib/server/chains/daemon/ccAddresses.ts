/**
 * Detects addresses that look ordinary but lose the coins paid to them: addresses of crypto-conditions, and of keys
 * that are public or that have no owner.
 */
import { LRUCache } from 'lru-cache';
import { addressOfPubkey, isScriptAddress } from '#lib/chain/address.ts';
import { bytesToHex, hexToBytes } from '#lib/chain/bytes.ts';
import {
	BURN_PUBKEY,
	ccAddress,
	ccScript,
	EVAL,
	TOKENS_GLOBAL_PUBKEY
} from '#lib/chain/cryptocondition.ts';
import type { DaemonClient, Gateway } from './types.ts';
import { isNotFound } from './notFound.ts';

/** Condition addresses by public key. Computing them takes many hashes, and an installation has few keys. */
const known = new LRUCache<string, ReadonlySet<string>>({ max: 1_000 });

/** Returns every address at which one public key (hex) can hold tokens or module outputs. */
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
		known.set(pubkey, addresses);
	}
	return addresses;
}

/** Why coins sent to an address would be lost: it is the token module's, or the token address of a wallet. */
export type AddressTrap = 'address.token-module' | 'address.token-address';

/** Public keys of the configured wallets, hex. */
export const walletKeys = (gateway: Pick<Gateway, 'daemons'>): string[] =>
	gateway.daemons().flatMap(({ pubkey }) => pubkey ?? []);

/**
 * Returns why coins must not be paid to an address; null when no reason is known.
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

/** What the destination chain has recorded about an address; `untold` when the daemon has no address index. */
type AddressHistory = 'unseen' | 'person' | 'condition' | 'untold';

/**
 * Returns how much these addresses ever received (satoshi); null when the daemon has no address index.
 * @param conditions `[1]` for crypto-condition outputs instead of ordinary ones
 */
async function receivedAt(
	client: DaemonClient,
	addresses: string[],
	...conditions: [] | [1]
): Promise<bigint | null> {
	try {
		const { received } = await client.call('getaddressbalance', { addresses }, ...conditions);
		return received;
	} catch (error) {
		// Komodo daemon 0.9.0, `GetAddressIndex`: without `addressindex` it has no information about any address.
		if (isNotFound(error)) return null;
		throw error;
	}
}

/**
 * Returns whether crypto-condition outputs were ever paid to any of these addresses; null when the daemon has no
 * address index. The daemon keeps them in a separate index, selected by the second parameter, but only for P2PKH
 * addresses: those of P2SH are never crypto-conditions, and with the parameter it answers with their ordinary
 * outputs (KomodoPlatform/komodo, `CBitcoinAddress::GetIndexKey` in src/base58.cpp: type 1 or 3, for P2SH always 2,
 * called by `getAddressesFromParams` in src/rpc/misc.cpp; `GetAddressType` in src/main.cpp writes the same types).
 * @throws {AppError} `daemon`
 */
export async function haveConditions(
	client: DaemonClient,
	addresses: readonly string[]
): Promise<boolean | null> {
	const possible = addresses.filter((address) => !isScriptAddress(address));
	if (possible.length === 0) return false;
	const received = await receivedAt(client, possible, 1);
	return received === null ? null : received > 0n;
}

/** Returns what kind of payments an address has received. @throws {AppError} `daemon` */
export async function addressHistory(
	client: DaemonClient,
	address: string
): Promise<AddressHistory> {
	if ((await haveConditions(client, [address])) === true) return 'condition';
	const received = await receivedAt(client, [address]);
	if (received === null) return 'untold';
	return received > 0n ? 'person' : 'unseen';
}
