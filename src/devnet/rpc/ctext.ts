/**
 * Parses text parameters as C does: leading white space and a sign are allowed, parsing stops at the first
 * invalid character, and text without digits is 0.
 */
import { NO_HASH } from '#lib/chain/bytes.ts';

const INT64_MAX = 9223372036854775807n;

/** `atoll`: an integer, clamped to 64 bits. */
export const atoll = (text: string): bigint => {
	const found = /^[ \t\n\v\f\r]*([+-]?)(\d+)/.exec(text);
	if (!found) return 0n;
	const value = BigInt(found[2]!) * (found[1] === '-' ? -1n : 1n);
	if (value > INT64_MAX) return INT64_MAX;
	return value < -INT64_MAX - 1n ? -INT64_MAX - 1n : value;
};

/** `atoi`: the low 32 bits of `atoll`, as a signed integer. */
export const atoi = (text: string): number => Number(BigInt.asIntN(32, atoll(text)));

/** True for the hex of at least one byte. */
export const isHexText = (text: string): boolean =>
	text.length > 0 && text.length % 2 === 0 && /^[0-9a-fA-F]+$/.test(text);

/**
 * Parses a txid as the token and migration methods do: only 64 hex digits are decoded, anything else is the
 * all-zero id.
 */
export const looseTxid = (text: string): string =>
	/^[0-9a-fA-F]{64}$/.test(text) ? text.toLowerCase() : NO_HASH;

export const isZeroId = (txid: string): boolean => txid === NO_HASH;
