/** Numbers as text, read without a float. */

const NUMBER = /^(-?)(\d+)(?:\.(\d*))?(?:[eE]([-+]?\d{1,4}))?$/;
/** Powers of ten beyond what any amount or height has. */
const LARGEST_POWER = 30;

/**
 * What a number in JSON's spelling, exponents included, is worth in units of 10^-decimals: `1e-8` with 8
 * decimals is 1. Null when it is no number, has a part below one unit, or is too large to be meant.
 */
export function exactInteger(source: string, decimals = 0): bigint | null {
	const match = NUMBER.exec(source);
	if (match === null) return null;
	const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
	let digits = `${whole}${fraction}`.replace(/^0+(?=\d)/, '');
	if (/^0*$/.test(digits)) return 0n;
	let power = Number(exponent) - fraction.length + decimals;
	while (power < 0 && digits.endsWith('0')) {
		digits = digits.slice(0, -1);
		power += 1;
	}
	if (power < 0 || digits.length + power > LARGEST_POWER) return null;
	const value = BigInt(digits) * 10n ** BigInt(power);
	return sign === '-' ? -value : value;
}
