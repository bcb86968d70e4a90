import { bech32, createBase58check } from '@scure/base';
import { decodeAddress, encodeAddress } from '#lib/chain/address.ts';
import { decodeCashAddress, encodeCashAddress } from '#lib/chain/cashaddr.ts';
import { hash160, sha256 } from '#lib/chain/hash.ts';
import { iguanaKey, IDENTITY_PATH, KeyTree } from '#lib/chain/hdKey.ts';
import { publicKeyOf } from '#lib/chain/key.ts';
import type { CoinEntry } from './coinsFile.ts';

const base58check = createBase58check(sha256);

/** The keys of a node: one for everything, or a tree. */
export class KdfKeys {
	readonly isHd: boolean;
	readonly #single: Uint8Array | null;
	readonly #tree: KeyTree | null;

	/** @throws {ChainError} `passphrase` */
	constructor(passphrase: string, isHd: boolean) {
		this.isHd = isHd;
		this.#single = isHd ? null : iguanaKey(passphrase);
		this.#tree = isHd ? new KeyTree(passphrase) : null;
	}

	/** The one key, or the one of a path. @throws {ChainError} `passphrase` */
	key(path?: string): Uint8Array {
		if (this.#single) return this.#single;
		return this.#tree!.keyAt(path ?? IDENTITY_PATH);
	}

	/** The key that names the node. */
	get identity(): Uint8Array {
		return publicKeyOf(this.key(IDENTITY_PATH));
	}
}

export interface AddressFormat {
	format: string;
	network?: string | undefined;
}

const formatOf = (entry: CoinEntry, format?: AddressFormat): AddressFormat =>
	format ?? entry.address_format ?? { format: 'standard' };

/** The address of a UTXO coin's key. */
export function utxoAddress(
	entry: CoinEntry,
	privateKey: Uint8Array,
	format?: AddressFormat
): string {
	return utxoAddressOf(entry, hash160(publicKeyOf(privateKey)), format);
}

/** The address that a UTXO coin writes for the hash of a key. */
export function utxoAddressOf(entry: CoinEntry, hash: Uint8Array, format?: AddressFormat): string {
	const chosen = formatOf(entry, format);
	if (chosen.format === 'cashaddress') {
		return encodeCashAddress({ prefix: chosen.network ?? 'bitcoincash', kind: 'p2pkh', hash });
	}
	if (chosen.format === 'segwit') {
		return bech32.encode(entry.bech32_hrp ?? 'bc', [0, ...bech32.toWords(hash)]);
	}
	return encodeAddress(hash, entry.pubtype ?? 60);
}

/** The hash of the key behind an address of the coin; null for another coin's, or a script's. */
export function utxoAddressHash(entry: CoinEntry, address: string): Uint8Array | null {
	const { network } = formatOf(entry);
	const cash = network === undefined ? null : decodeCashAddress(address, network);
	if (cash) return cash.prefix === network && cash.kind === 'p2pkh' ? cash.hash : null;
	if (entry.bech32_hrp !== undefined && address.startsWith(`${entry.bech32_hrp}1`)) {
		try {
			const [version, ...words] = bech32.decode(address as `${string}1${string}`).words;
			return version === 0 ? bech32.fromWords(words) : null;
		} catch {
			return null;
		}
	}
	if ((entry.pubtype ?? 60) === 60) {
		try {
			const found = decodeAddress(address);
			return found.kind === 'p2pkh' ? found.hash : null;
		} catch {
			return null;
		}
	}
	try {
		const bytes = base58check.decode(address);
		return bytes.length === 21 && bytes[0] === entry.pubtype ? bytes.slice(1) : null;
	} catch {
		return null;
	}
}
