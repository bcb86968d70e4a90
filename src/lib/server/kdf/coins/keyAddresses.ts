/** Addresses of keys, in the formats of coins. */
import { bech32 } from '@scure/base';
import { addressPayload, encodeAddress, type AddressCheck } from '#lib/chain/address.ts';
import { decodeCashAddress, encodeCashAddress } from '#lib/chain/cashaddr.ts';
import { isChecksummed, isEvmAddress } from '#lib/chain/evmAddress.ts';
import type { Coin } from './parse.ts';

/** Whether addresses and signatures of a coin are those of an EVM chain. */
export const signsAsEvm = ({ protocol }: Coin): boolean =>
	protocol === 'ETH' || protocol === 'ERC20';

/** Returns the checksum of a coin's addresses, by its ticker as in trading nodes. */
const checkOf = ({ ticker }: Pick<Coin, 'ticker'>): AddressCheck =>
	ticker === 'GRS' ? 'groestl' : ticker === 'SMART' ? 'keccak' : 'bitcoin';

/** Returns the address of a key hash, in the format of this coin. */
export function addressOfKeyHash(hash: Uint8Array, coin: Coin): string {
	if (coin.addressFormat?.format === 'cashaddress') {
		const prefix = coin.addressFormat.network ?? 'bitcoincash';
		return encodeCashAddress({ prefix, kind: 'p2pkh', hash });
	}
	if (coin.addressFormat?.format === 'segwit' && coin.bech32Prefix !== null) {
		return bech32.encode(coin.bech32Prefix, [0, ...bech32.toWords(hash)]);
	}
	return encodeAddress(hash, coin.pubtype ?? undefined, coin.taddr, checkOf(coin));
}

/** Returns the key hash of an address of a UTXO coin; null for the address of a script, or an invalid one. */
export function keyHashOf(address: string, coin: Pick<Coin, 'ticker'>): Uint8Array | null {
	if (address.length > 120) return null;
	const cash = decodeCashAddress(address, 'bitcoincash');
	if (cash) return cash.kind === 'p2pkh' ? cash.hash : null;
	try {
		const { words } = bech32.decode(address as `${string}1${string}`);
		const [version, ...rest] = words;
		const program = version === 0 ? bech32.fromWords(rest) : null;
		return program?.length === 20 ? program : null;
	} catch {
		// Not bech32, so base58 is tried.
	}
	const payload = addressPayload(address, checkOf(coin));
	// One version byte, or two where the coin has a `taddr`.
	return payload?.length === 21 || payload?.length === 22 ? payload.slice(-20) : null;
}

/** Protocols whose addresses are key hashes, in a format that the coins file describes. */
const HASHED: ReadonlySet<string | null> = new Set(['UTXO', 'QTUM', 'BCH']);

/**
 * Whether an address can be one of this coin. A node whose coins file has another chain under this ticker
 * returns an address of that chain, where coins would be lost. An address that cannot be checked passes.
 */
export function isAddressOf(address: string, coin: Coin): boolean {
	if (signsAsEvm(coin)) {
		return isEvmAddress(address) && (address === address.toLowerCase() || isChecksummed(address));
	}
	if (!HASHED.has(coin.protocol) || coin.pubtype === null) return true;
	const hash = keyHashOf(address, coin);
	if (hash === null) return false;
	const cash = decodeCashAddress(address, 'bitcoincash');
	if (cash !== null) {
		const isUsed = coin.protocol === 'BCH' || coin.addressFormat?.format === 'cashaddress';
		return isUsed && cash.prefix === (coin.addressFormat?.network ?? 'bitcoincash');
	}
	const { bech32Prefix: prefix } = coin;
	return (
		address === encodeAddress(hash, coin.pubtype, coin.taddr, checkOf(coin)) ||
		(prefix !== null && address === bech32.encode(prefix, [0, ...bech32.toWords(hash)]))
	);
}
