/**
 * Amounts of coins. The code computes in `bigint` satoshi; at the boundaries an amount is text with 8
 * decimals. It is never a `number`.
 */
import { bareText } from './bareText.ts';
import { type AmountFault, ChainError } from './chainError.ts';

/** 1e-8 of a coin. */
export type Satoshi = bigint;

export const COIN: Satoshi = 100_000_000n;

/** Largest int64: the daemon stores amounts in this type. */
export const MAX_SATOSHI: Satoshi = 2n ** 63n - 1n;

/** Thousands separated by spaces, as pages show them. Commas are not accepted: one may be a decimal point. */
const GROUPED = /^\d{1,3}(?:[ \u00a0\u2009\u202f]\d{3})+(?:\.\d+)?$/;
/**
 * Digits and spaces, then a unit. The group must end with a digit: if spaces could end it too, long runs of
 * spaces would make the pattern backtrack quadratically.
 */
const DIGITS_AND_UNIT = /^([\d \u00a0\u2009\u202f]*\d(?:\.\d+)?)\s*[A-Za-z]{2,}$/;

/**
 * Removes the white space around an amount and between its groups of digits, as typed or copied from a page.
 */
export function bareAmount(text: string): string {
	const trimmed = bareText(text);
	return GROUPED.test(trimmed) ? trimmed.replace(/\s/g, '') : trimmed;
}

/**
 * Says why a text (without grouping spaces) is not an amount.
 * @param decimals whether the amount may have decimals
 */
export function amountFault(bare: string, decimals = true): AmountFault {
	const [, digits] = DIGITS_AND_UNIT.exec(bare) ?? [];
	if (digits !== undefined) {
		return { code: 'amount.with-unit', params: { digits: bareAmount(digits) } };
	}
	if (!decimals) return { code: 'amount.not-whole', params: {} };
	return { code: bare.includes(',') ? 'amount.with-comma' : 'amount.not-a-number', params: {} };
}

/**
 * Parses an amount: digits with at most one decimal point and at most 8 decimals. A sign, an exponent or a
 * thousands separator other than a space is refused.
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

/** Adds up amounts; null when any of them is unknown (null). */
export function sumOf(amounts: readonly bigint[]): bigint;
export function sumOf(amounts: readonly (bigint | null)[]): bigint | null;
export function sumOf(amounts: readonly (bigint | null)[]): bigint | null {
	return amounts.reduce((sum, one) => (sum === null || one === null ? null : sum + one), 0n);
}

/** Returns what outputs hold together, satoshi or base units. */
export const valueOf = (outputs: readonly { value: bigint }[]): bigint =>
	outputs.reduce((sum, { value }) => sum + value, 0n);

/** Compares for a descending order. */
export const descending = (a: bigint, b: bigint): number => (a < b ? 1 : a > b ? -1 : 0);

/** Compares for an order with the largest amount first. */
export const byAmountDescending = (a: { amount: bigint }, b: { amount: bigint }): number =>
	descending(a.amount, b.amount);

/** Formats satoshi with exactly 8 decimals: 115000000n becomes `1.15000000`. */
export function formatCoins(satoshi: Satoshi): string {
	const sign = satoshi < 0n ? '-' : '';
	const digits = (satoshi < 0n ? -satoshi : satoshi).toString().padStart(9, '0');
	return `${sign}${digits.slice(0, -8)}.${digits.slice(-8)}`;
}

/** Smallest int64: the result on x86-64 of converting a floating point number that no int64 can hold. */
const MIN_SATOSHI: Satoshi = -(2n ** 63n);

/**
 * Returns the satoshi that the daemon reads from an amount text: C's `atof`, times 1e8, plus
 * 0.00000000499999, truncated. Leading space and trailing garbage are ignored: `1,15` is 1 coin, `0x10` is 16
 * coins. A value that is too large, infinite or NaN becomes the smallest int64, which is negative.
 * (Komodo daemon 0.9.0, observed on running daemons: 1.15 becomes 114999999 satoshi.)
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

/**
 * Implements C's `strtod`. Infinities and NaN all give NaN: no int64 holds them, so their sign is irrelevant.
 */
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
 * Returns a text that the daemon parses to exactly this amount: 8 decimals where that is exact, otherwise
 * with a ninth decimal of 5 (half a satoshi), which compensates for the truncation.
 * @throws {RangeError} when neither text is exact, which does not happen below 10 million coins
 */
export function daemonSpelling(satoshi: Satoshi): string {
	const plain = formatCoins(satoshi);
	if (daemonReads(plain) === satoshi) return plain;
	const ninth = `${plain}5`;
	if (daemonReads(ninth) === satoshi) return ninth;
	throw new RangeError(`The daemon cannot read ${plain} exactly.`);
}
