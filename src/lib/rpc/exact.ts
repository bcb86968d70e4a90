/** Parses decimal numbers exactly, without floating point. */

const NUMBER = /^(-?)(\d+)(?:\.(\d*))?(?:[eE]([-+]?\d{1,4}))?$/;
/** Maximum digits of a result, more than any amount or height has. */
const LARGEST_POWER = 30;

/**
 * Converts a JSON number, with or without exponent, to units of 10^-decimals: `1e-8` with 8 decimals is 1.
 * Null when the text is not a number, has a fraction of a unit, or is unreasonably large.
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
