/** Bitcoin Cash addresses (CashAddr): `prefix:payload`, 5-bit groups with a 40-bit checksum. */
import { bech32 } from '@scure/base';

const ALPHABET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const GENERATORS = [0x98f2bc8e61n, 0x79b76d99e2n, 0xf33e5fb3c4n, 0xae2eabe2a8n, 0x1e4f43e470n];
const CHECKSUM_LENGTH = 8;

interface CashAddress {
	prefix: string;
	kind: 'p2pkh' | 'p2sh';
	/** 20 bytes. */
	hash: Uint8Array;
}

function polymod(values: readonly number[]): bigint {
	let check = 1n;
	for (const value of values) {
		const top = check >> 35n;
		check = ((check & 0x07ffffffffn) << 5n) ^ BigInt(value);
		GENERATORS.forEach((generator, bit) => {
			if ((top >> BigInt(bit)) & 1n) check ^= generator;
		});
	}
	return check ^ 1n;
}

const prefixGroups = (prefix: string): number[] => [
	...[...prefix].map((letter) => letter.charCodeAt(0) & 31),
	0
];

/** @param hash 20 bytes */
export function encodeCashAddress({ prefix, kind, hash }: CashAddress): string {
	const version = kind === 'p2pkh' ? 0 : 8;
	const payload = bech32.toWords(Uint8Array.of(version, ...hash));
	const blank = Array.from({ length: CHECKSUM_LENGTH }, () => 0);
	const check = polymod([...prefixGroups(prefix), ...payload, ...blank]);
	const tail = blank.map((_, at) => Number((check >> BigInt(5 * (7 - at))) & 31n));
	return `${prefix}:${[...payload, ...tail].map((group) => ALPHABET[group]!).join('')}`;
}

/**
 * Decodes a CashAddr address; null when the text is none.
 * @param defaultPrefix assumed when the text has no prefix
 */
export function decodeCashAddress(text: string, defaultPrefix: string): CashAddress | null {
	if (text !== text.toLowerCase() && text !== text.toUpperCase()) return null;
	const parts = text.toLowerCase().split(':');
	const [prefix, body] = parts.length === 2 ? parts : [defaultPrefix, parts[0]];
	if (parts.length > 2 || !prefix || !body || body.length <= CHECKSUM_LENGTH) return null;
	const groups = [...body].map((letter) => ALPHABET.indexOf(letter));
	if (groups.includes(-1) || polymod([...prefixGroups(prefix), ...groups]) !== 0n) return null;
	let bytes: Uint8Array;
	try {
		bytes = bech32.fromWords(groups.slice(0, -CHECKSUM_LENGTH));
	} catch {
		return null;
	}
	const [version] = bytes;
	if (bytes.length !== 21 || (version !== 0 && version !== 8)) return null;
	return { prefix, kind: version === 0 ? 'p2pkh' : 'p2sh', hash: bytes.slice(1) };
}
