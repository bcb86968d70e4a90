/** Formats amounts for pages and messages. */

/** An amount split for display: sign, integer part in groups of three digits, decimals. */
interface AmountParts {
	sign: '' | '−';
	groups: string[];
	fraction: string;
}

/**
 * Splits an amount in smallest units (satoshi, base units of a token) for display.
 *
 * @param decimals number of digits after the point: 8 for coins, 0 for base units of a token
 */
export function amountParts(units: bigint, decimals = 8): AmountParts {
	const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0');
	const whole = digits.slice(0, digits.length - decimals);
	const groups: string[] = [];
	for (let end = whole.length; end > 0; end -= 3)
		groups.unshift(whole.slice(Math.max(0, end - 3), end));
	return { sign: units < 0n ? '−' : '', groups, fraction: digits.slice(digits.length - decimals) };
}

/** Formats an amount without grouping, as it would be typed: `-1.15000000`. */
export function amountText(units: bigint, decimals = 8): string {
	const { sign, groups, fraction } = amountParts(units, decimals);
	return `${sign === '' ? '' : '-'}${groups.join('')}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Formats an amount for prose and headings, without trailing zeros: `1 234.5`. */
export function amountProse(units: bigint, decimals = 8): string {
	const { sign, groups, fraction } = amountParts(units, decimals);
	const digits = fraction.replace(/0+$/, '');
	return `${sign}${groups.join('\u202f')}${digits === '' ? '' : `.${digits}`}`;
}

/** Removes the trailing zeros of the decimals: `1.50000000` becomes `1.5`, and `100` stays. */
export const withoutZeros = (amount: string): string =>
	amount.includes('.') ? amount.replace(/0+$/, '').replace(/\.$/, '') : amount;

/**
 * Formats an amount with the name of its token or chain. A name that begins with another character than a letter
 * is quoted: 1 and the name `000 BTC` would read as a thousand.
 */
export const namedAmount = (amount: string, name: string): string =>
	/^\p{L}/u.test(name) ? `${amount} ${name}` : `${amount} “${name}”`;
