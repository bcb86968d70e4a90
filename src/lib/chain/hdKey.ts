/**
 * Keys from a passphrase as the trading node makes them: one key for everything (its name there is
 * Iguana), or a tree of keys from a mnemonic (BIP39, BIP32, BIP44).
 */
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { createBase58check } from '@scure/base';
import { HDKey } from '@scure/bip32';
import { mnemonicToSeedSync, validateMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { hexToBytes, isHex } from './bytes.ts';
import { sha256 } from './hash.ts';

type PassphraseErrorCode =
	'empty' | 'wif-checksum' | 'uncompressed' | 'out-of-range' | 'not-a-mnemonic' | 'bad-path';

/** A passphrase or path from which no key follows. */
export class PassphraseError extends Error {
	override readonly name = 'PassphraseError';
	readonly code: PassphraseErrorCode;

	constructor(code: PassphraseErrorCode, message: string) {
		super(message);
		this.code = code;
	}
}

const base58check = createBase58check(sha256);
const WIF_TEXT = /^[1-9A-HJ-NP-Za-km-z]{50,53}$/;

/** The key of a private key's text, or null when the text is none. */
function wifKey(text: string): Uint8Array | null {
	if (!WIF_TEXT.test(text)) return null;
	let bytes: Uint8Array;
	try {
		bytes = base58check.decode(text);
	} catch {
		throw new PassphraseError('wif-checksum', 'Provided WIF passphrase has invalid checksum!');
	}
	if (bytes.length === 33) {
		throw new PassphraseError('uncompressed', 'We only support compressed keys at the moment');
	}
	return bytes.length === 34 && bytes[33] === 1 ? bytes.slice(1, 33) : null;
}

/**
 * The one key of a passphrase: a private key as WIF (any version byte) or as `0x` and hex, else the
 * SHA-256 of the text with five bits set and cleared as on Curve25519. The text is not trimmed.
 * @throws {PassphraseError}
 */
export function iguanaKey(passphrase: string): Uint8Array {
	if (passphrase === '') throw new PassphraseError('empty', 'The passphrase is empty.');
	const wif = wifKey(passphrase);
	if (wif) return wif;
	if (passphrase.startsWith('0x')) {
		const hex = passphrase.slice(2).toLowerCase();
		const key = hex.length === 64 && isHex(hex) ? hexToBytes(hex) : null;
		if (!key || !secp256k1.utils.isValidSecretKey(key)) {
			throw new PassphraseError('out-of-range', 'The hex passphrase is no private key.');
		}
		return key;
	}
	const key = sha256(new TextEncoder().encode(passphrase));
	key[0]! &= 248;
	key[31]! &= 127;
	key[31]! |= 64;
	return key;
}

/** The key at the path that names the node itself; the third level is not hardened. */
export const IDENTITY_PATH = "m/44'/141'/2147483647/0/0";

const PATH = /^m(\/\d{1,10}'?)*$/;

/** A tree of keys. */
export class KeyTree {
	readonly #root: HDKey;

	/** @throws {PassphraseError} when the words are no English mnemonic with a right check sum */
	constructor(mnemonic: string) {
		if (!validateMnemonic(mnemonic, wordlist)) {
			throw new PassphraseError('not-a-mnemonic', 'The passphrase is no English BIP39 mnemonic.');
		}
		this.#root = HDKey.fromMasterSeed(mnemonicToSeedSync(mnemonic));
	}

	/** The private key at a path such as `m/44'/141'/0'/0/1`. @throws {PassphraseError} */
	keyAt(path: string): Uint8Array {
		if (!PATH.test(path)) throw new PassphraseError('bad-path', `${path} is no path of a key.`);
		try {
			const { privateKey } = this.#root.derive(path);
			if (privateKey) return privateKey;
		} catch {
			// An index that is too large.
		}
		throw new PassphraseError('bad-path', `${path} is no path of a key.`);
	}
}

/** The words for 16 or 32 random bytes. */
export { entropyToMnemonic } from '@scure/bip39';
export { wordlist as englishWords } from '@scure/bip39/wordlists/english.js';
