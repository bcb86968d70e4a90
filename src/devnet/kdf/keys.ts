import { bech32, createBase58check } from '@scure/base';
import { decodeAddress, encodeAddress } from '#lib/chain/address.ts';
import { decodeCashAddress, encodeCashAddress } from '#lib/chain/cashaddr.ts';
import { hash160, sha256 } from '#lib/chain/hash.ts';
import { iguanaKey, IDENTITY_PATH, KeyTree } from '#lib/chain/hdKey.ts';
import { publicKeyOf } from '#lib/chain/key.ts';
import type { CoinEntry } from './coinsFile.ts';

const base58check = createBase58check(sha256);

/** The keys of a node: a single one, or an HD tree. */
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

	/** Returns the single key, or the key at a path. @throws {ChainError} `passphrase` */
	key(path?: string): Uint8Array {
		if (this.#single) return this.#single;
		return this.#tree!.keyAt(path ?? IDENTITY_PATH);
	}

	/** Public key that identifies the node. */
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

/** Returns the address of a private key for a UTXO coin. */
export function utxoAddress(
	entry: CoinEntry,
	privateKey: Uint8Array,
	format?: AddressFormat
): string {
	return utxoAddressOf(entry, hash160(publicKeyOf(privateKey)), format);
}

/** Returns the address of a public key hash for a UTXO coin. */
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

/** Returns the public key hash of an address; null for an address of another coin or of a script. */
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
