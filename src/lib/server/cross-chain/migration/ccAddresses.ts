/**
 * Addresses that look like a person's and are none: coins of an import that are paid to a
 * crypto-condition, or to a key that everybody or nobody has, are lost.
 */
import { addressOfPubkey } from '#lib/chain/address.ts';
import { hexToBytes } from '#lib/chain/bytes.ts';
import { isChainError } from '#lib/chain/chainError.ts';
import {
	BURN_PUBKEY,
	ccAddress,
	ccScript,
	EVAL,
	TOKENS_GLOBAL_PUBKEY
} from '#lib/chain/cryptocondition.ts';
import { classify } from '#lib/chain/script.ts';
import { parseTransaction } from '#lib/chain/transaction.ts';
import type { DaemonClient } from '../../chains/daemon/lookup.ts';
import { isAppError } from '../../platform/errors/appError.ts';

/** Every address at which one key can hold tokens or module outputs. */
function conditionAddresses(pubkey: Uint8Array): string[] {
	return Object.values(EVAL).flatMap((code) =>
		(code === EVAL.tokens ? [[code]] : [[code], [code, EVAL.tokens]]).map((evals) =>
			ccAddress(ccScript([pubkey], evals))
		)
	);
}

/** An address whose coins nobody can spend: that of the token module, or one of a wallet for tokens. */
type AddressTrap = 'address.token-module' | 'address.token-address';

/**
 * Why coins must not be paid to an address; null when nothing is known against it.
 * @param pubkeys keys of the configured wallets, hex
 */
export function knownTrap(address: string, pubkeys: readonly string[]): AddressTrap | null {
	for (const key of [TOKENS_GLOBAL_PUBKEY, BURN_PUBKEY]) {
		if (addressOfPubkey(key) === address || conditionAddresses(key).includes(address)) {
			return 'address.token-module';
		}
	}
	for (const pubkey of pubkeys) {
		if (conditionAddresses(hexToBytes(pubkey)).includes(address)) {
			return 'address.token-address';
		}
	}
	return null;
}

/** What the destination chain shows about an address; `untold` by a daemon without an address index. */
type AddressHistory = 'unseen' | 'person' | 'condition' | 'untold';

/** Komodo daemon 0.9.0, `GetAddressIndex`: "No information available for address", without `addressindex`. */
const NO_ADDRESS_INDEX = -5;

/** Looks at the first transaction of an address. @throws {AppError} `daemon` */
export async function addressHistory(
	client: DaemonClient,
	address: string
): Promise<AddressHistory> {
	let txid;
	try {
		[txid] = await client.call('getaddresstxids', { addresses: [address] });
	} catch (error) {
		if (isAppError(error, 'daemon') && error.params.rpcCode === NO_ADDRESS_INDEX) return 'untold';
		throw error;
	}
	if (txid === undefined) return 'unseen';
	const hex = await client.call('getrawtransaction', txid);
	if (typeof hex !== 'string') return 'person';
	try {
		const kinds = parseTransaction(hex).vout.map(({ script }) => classify(script));
		const isCondition = kinds.some(
			(kind) => kind.type === 'cryptocondition' && kind.address === address
		);
		return isCondition ? 'condition' : 'person';
	} catch (error) {
		if (isChainError(error, 'parse')) return 'person';
		throw error;
	}
}
