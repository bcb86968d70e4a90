/**
 * Signed messages: Bitcoin's classic format with the prefix of the coin, and the format of EVM coins. The
 * prefix is the coin's `sign_message_prefix`, taken literally with its trailing newline; neither it nor the
 * message is trimmed or normalized. Keys are always compressed.
 */
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { base64 } from '@scure/base';
import { ByteWriter, bytesEqual, bytesToHex, concat, hexToBytes, isHex } from './bytes.ts';
import { ChainError } from './chainError.ts';
import { evmAddressOf } from './evmAddress.ts';
import { hash160, hash256 } from './hash.ts';

/** First byte of a signature: 27, plus the recovery id, plus 4 for a compressed key. */
const HEADER = 27;
const COMPRESSED = 4;

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Returns the hash that a UTXO coin signs: 32 bytes in internal order. */
export function messageHash(prefix: string, message: string): Uint8Array {
	return hash256(new ByteWriter().varSlice(utf8(prefix)).varSlice(utf8(message)).finish());
}

/**
 * Returns the hash that an EVM coin signs. The length of the prefix is a CompactSize, that of the message
 * decimal digits; with Ethereum's prefix this is EIP-191.
 */
export function evmMessageHash(prefix: string, message: string): Uint8Array {
	const text = utf8(message);
	const head = new ByteWriter().varSlice(utf8(prefix)).bytes(utf8(String(text.length)));
	return keccak_256(head.bytes(text).finish());
}

/** Signs a hash; returns the recovery id, and r and s with low S. */
function recoverable(hash: Uint8Array, privateKey: Uint8Array): { id: number; rs: Uint8Array } {
	const bytes = secp256k1.sign(hash, privateKey, {
		prehash: false,
		lowS: true,
		format: 'recovered'
	});
	return { id: bytes[0]!, rs: bytes.slice(1) };
}

function recover(id: number, rs: Uint8Array, hash: Uint8Array) {
	try {
		const bytes = concat(Uint8Array.of(id), rs);
		return secp256k1.Signature.fromBytes(bytes, 'recovered').recoverPublicKey(hash);
	} catch {
		throw new ChainError('message.not-recoverable', {});
	}
}

/** Signs a message for a UTXO coin: 65 bytes as base64, 88 characters. */
export function signMessage(prefix: string, message: string, privateKey: Uint8Array): string {
	const { id, rs } = recoverable(messageHash(prefix, message), privateKey);
	return base64.encode(concat(Uint8Array.of(HEADER + COMPRESSED + id), rs));
}

/**
 * Returns the hash (20 bytes) of the public key that signed a message of a UTXO coin. Every address format
 * that encodes this hash verifies; the address of a script never does.
 * @throws {ChainError} `message`
 */
export function signerHash(prefix: string, message: string, signature: string): Uint8Array {
	let bytes: Uint8Array;
	try {
		bytes = base64.decode(signature);
	} catch {
		throw new ChainError('message.not-base64', {});
	}
	if (bytes.length !== 65) {
		throw new ChainError('message.wrong-length', { of: 'utxo' });
	}
	const header = bytes[0]! - HEADER;
	if (header < 0) {
		throw new ChainError('message.wrong-header', { of: 'utxo' });
	}
	const point = recover(header & 3, bytes.slice(1), messageHash(prefix, message));
	return hash160(point.toBytes((header & COMPRESSED) !== 0));
}

/** @param hash of the address's key, 20 bytes @throws {ChainError} `message` */
export function verifyMessage(
	prefix: string,
	message: string,
	signature: string,
	hash: Uint8Array
): boolean {
	return bytesEqual(signerHash(prefix, message, signature), hash);
}

/** Signs a message for an EVM coin in the trading node's format: `0x`, r, s, and a last byte of 0 or 1. */
export function signEvmMessage(prefix: string, message: string, privateKey: Uint8Array): string {
	const { id, rs } = recoverable(evmMessageHash(prefix, message), privateKey);
	return `0x${bytesToHex(concat(rs, Uint8Array.of(id)))}`;
}

/**
 * Returns the EIP-55 address that signed a message of an EVM coin. `0x` is optional; the last byte may also
 * be 27 or 28, as common wallets write it.
 * @throws {ChainError} `message`
 */
export function evmSigner(prefix: string, message: string, signature: string): string {
	const hex = signature.replace(/^0x/, '');
	if (hex.length !== 130 || !isHex(hex)) {
		throw new ChainError('message.wrong-length', { of: 'evm' });
	}
	const bytes = hexToBytes(hex.toLowerCase());
	const last = bytes[64]!;
	const id = last >= HEADER ? last - HEADER : last;
	if (id > 1) throw new ChainError('message.wrong-header', { of: 'evm' });
	const point = recover(id, bytes.slice(0, 64), evmMessageHash(prefix, message));
	return evmAddressOf(point.toBytes(false));
}
