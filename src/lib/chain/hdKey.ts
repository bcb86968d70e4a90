/**
 * Derives keys from a passphrase as the trading node does: one key for everything (called Iguana there), or a
 * tree of keys from a mnemonic (BIP39, BIP32, BIP44).
 */
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { createBase58check } from '@scure/base';
import { HDKey } from '@scure/bip32';
import { mnemonicToSeedSync, validateMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { hexToBytes, isHex } from './bytes.ts';
import { ChainError } from './chainError.ts';
import { sha256 } from './hash.ts';

const base58check = createBase58check(sha256);
const WIF_TEXT = /^[1-9A-HJ-NP-Za-km-z]{50,53}$/;

/** Decodes a private key in WIF; null when the text does not look like WIF. */
function wifKey(text: string): Uint8Array | null {
	if (!WIF_TEXT.test(text)) return null;
	let bytes: Uint8Array;
	try {
		bytes = base58check.decode(text);
	} catch {
		throw new ChainError('passphrase.wif-checksum', {});
	}
	if (bytes.length === 33) {
		throw new ChainError('passphrase.uncompressed', {});
	}
	return bytes.length === 34 && bytes[33] === 1 ? bytes.slice(1, 33) : null;
}

/**
 * Returns the single key of a passphrase: a private key in WIF (any version byte) or as `0x` and hex;
 * otherwise the SHA-256 of the text with five bits clamped as for Curve25519. The text is not trimmed.
 * @throws {ChainError} `passphrase`
 */
export function iguanaKey(passphrase: string): Uint8Array {
	if (passphrase === '') throw new ChainError('passphrase.empty', {});
	const wif = wifKey(passphrase);
	if (wif) return wif;
	if (passphrase.startsWith('0x')) {
		const hex = passphrase.slice(2).toLowerCase();
		const key = hex.length === 64 && isHex(hex) ? hexToBytes(hex) : null;
		if (!key || !secp256k1.utils.isValidSecretKey(key)) {
			throw new ChainError('passphrase.out-of-range', {});
		}
		return key;
	}
	const key = sha256(new TextEncoder().encode(passphrase));
	key[0]! &= 248;
	key[31]! &= 127;
	key[31]! |= 64;
	return key;
}

/** Path of the key that identifies the node itself; its third level is not hardened. */
export const IDENTITY_PATH = "m/44'/141'/2147483647/0/0";

const PATH = /^m(\/\d{1,10}'?)*$/;

/** A BIP32 key tree of a mnemonic. */
export class KeyTree {
	readonly #root: HDKey;

	/** @throws {ChainError} `passphrase` when this is not an English mnemonic with a valid checksum */
	constructor(mnemonic: string) {
		if (!validateMnemonic(mnemonic, wordlist)) {
			throw new ChainError('passphrase.not-a-mnemonic', {});
		}
		this.#root = HDKey.fromMasterSeed(mnemonicToSeedSync(mnemonic));
	}

	/** Returns the private key at a path such as `m/44'/141'/0'/0/1`. @throws {ChainError} `passphrase` */
	keyAt(path: string): Uint8Array {
		if (!PATH.test(path)) throw new ChainError('passphrase.bad-path', { path });
		try {
			const { privateKey } = this.#root.derive(path);
			if (privateKey) return privateKey;
		} catch {
			// The index is too large.
		}
		throw new ChainError('passphrase.bad-path', { path });
	}
}

/** Encodes 16 or 32 random bytes as a mnemonic. */
export { entropyToMnemonic } from '@scure/bip39';
export { wordlist as englishWords } from '@scure/bip39/wordlists/english.js';
