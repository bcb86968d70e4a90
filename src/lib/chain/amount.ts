/**
 * Money. Inside it is `bigint` satoshi, outside it is text with 8 decimals, never a `number`.
 */
import { type AmountFault, ChainError } from './chainError.ts';

/** 1e-8 of a coin. */
export type Satoshi = bigint;

export const COIN: Satoshi = 100_000_000n;

/** No chain holds more than an int64 can count. */
export const MAX_SATOSHI: Satoshi = 2n ** 63n - 1n;

/** Groups of three with a space between them, as pages show them; a comma could be a decimal point. */
const GROUPED = /^\d{1,3}(?:[ \u00a0\u2009\u202f]\d{3})+(?:\.\d+)?$/;
/** The digits end with one: with a space among them, each of many spaces would be tried as their end. */
const DIGITS_AND_UNIT = /^([\d \u00a0\u2009\u202f]*\d(?:\.\d+)?)\s*[A-Za-z]{2,}$/;

/** An amount as it was typed or copied from a page: without space around it or between groups of digits. */
export function bareAmount(text: string): string {
	const trimmed = text.trim();
	return GROUPED.test(trimmed) ? trimmed.replace(/\s/g, '') : trimmed;
}

/** Why a bare text is no amount. `decimals`: whether there can be any. */
export function amountFault(bare: string, decimals = true): AmountFault {
	const [, digits] = DIGITS_AND_UNIT.exec(bare) ?? [];
	if (digits !== undefined) {
		return { code: 'amount.with-unit', params: { digits: bareAmount(digits) } };
	}
	if (!decimals) return { code: 'amount.not-whole', params: {} };
	return { code: bare.includes(',') ? 'amount.with-comma' : 'amount.not-a-number', params: {} };
}

/**
 * Reads an amount as people write it: digits, at most one point, at most 8 decimals. No sign, no
 * exponent, and between thousands nothing but a space.
 * @throws {ChainError} `amount`
 */
export function parseCoins(text: string): Satoshi {
	const trimmed = bareAmount(text);
	if (trimmed === '') throw new ChainError('amount.empty', {});
	const match = /^(\d+)(?:\.(\d+))?$/.exec(trimmed);
	if (!match) throw ChainError.of(amountFault(trimmed));
	const [, whole = '', decimals = ''] = match;
	if (decimals.length > 8) {
		throw new ChainError('amount.too-many-decimals', { of: 'coin', decimals: 8 });
	}
	if (whole.length > 20) throw new ChainError('amount.too-large', {});
	const satoshi = BigInt(whole) * COIN + BigInt(decimals.padEnd(8, '0'));
	if (satoshi > MAX_SATOSHI) throw new ChainError('amount.too-large', {});
	return satoshi;
}

/** The sum of amounts; null where one of them is not known. */
export const sumOf = (amounts: readonly (bigint | null)[]): bigint | null =>
	amounts.reduce((sum, one) => (sum === null || one === null ? null : sum + one), 0n);

/** Text with exactly 8 decimals: 115000000n is `1.15000000`. */
export function formatCoins(satoshi: Satoshi): string {
	const sign = satoshi < 0n ? '-' : '';
	const digits = (satoshi < 0n ? -satoshi : satoshi).toString().padStart(9, '0');
	return `${sign}${digits.slice(0, -8)}.${digits.slice(-8)}`;
}

/** What x86-64 makes of a floating point number that no int64 can hold. */
const MIN_SATOSHI: Satoshi = -(2n ** 63n);

/**
 * What the daemon makes of an amount text: C's `atof`, times 1e8, plus 0.00000000499999, truncated.
 * Leading space and garbage behind the number are let through, `1,15` is 1 coin, `0x10` is 16 coins.
 * What is too large, infinite or no number becomes the smallest int64, which is below zero.
 * (Komodo daemon 0.9.0, seen on running daemons: 1.15 becomes 114999999 satoshi.)
 */
export function daemonReads(text: string): Satoshi {
	const product = cNumber(text) * 1e8 + 0.00000000499999;
	if (!Number.isFinite(product)) return MIN_SATOSHI;
	const satoshi = BigInt(Math.trunc(product));
	return satoshi > MAX_SATOSHI || satoshi < MIN_SATOSHI ? MIN_SATOSHI : satoshi;
}

const HEX_NUMBER =
	/^[ \t\n\v\f\r]*([+-]?)0[xX](?:([0-9a-fA-F]+)\.?([0-9a-fA-F]*)|\.([0-9a-fA-F]+))(?:[pP]([+-]?\d+))?/;
const DECIMAL_NUMBER = /^[ \t\n\v\f\r]*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)/;
const NO_NUMBER = /^[ \t\n\v\f\r]*[+-]?(?:inf|nan)/i;

/** C's `strtod`. The sign of what is infinite is left out: no int64 holds it. */
function cNumber(text: string): number {
	if (NO_NUMBER.test(text)) return Number.NaN;
	const hex = HEX_NUMBER.exec(text);
	if (hex) {
		const [, sign, whole = '', fraction = '', only = '', exponent = '0'] = hex;
		const behind = fraction + only;
		const mantissa = Number(`0x${whole}${behind}`);
		const value = mantissa && mantissa * 2 ** (Number(exponent) - 4 * behind.length);
		return sign === '-' ? -value : value;
	}
	const decimal = DECIMAL_NUMBER.exec(text);
	return decimal ? Number(decimal[1]) : 0;
}

/**
 * The text to send to a daemon for an exact amount: 8 decimals where the daemon's reading is exact, else
 * half a satoshi more as a ninth decimal, which survives the truncation.
 * @throws {RangeError} when neither spelling is exact; no amount below 10 million coins does that
 */
export function daemonSpelling(satoshi: Satoshi): string {
	const plain = formatCoins(satoshi);
	if (daemonReads(plain) === satoshi) return plain;
	const ninth = `${plain}5`;
	if (daemonReads(ninth) === satoshi) return ninth;
	throw new RangeError(`The daemon cannot read ${plain} exactly.`);
}
