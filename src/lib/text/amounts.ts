/** Amounts as pages and messages show them. */

/** A number of smallest units split for display: sign, the whole part in groups of three, the decimals. */
interface AmountParts {
	sign: '' | '−';
	groups: string[];
	fraction: string;
}

/**
 * Splits an amount of smallest units (satoshi, token units) into what a page shows.
 *
 * @param decimals how many of the digits stand behind the point: 8 for coins, 0 for bare token units
 */
export function amountParts(units: bigint, decimals = 8): AmountParts {
	const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0');
	const whole = digits.slice(0, digits.length - decimals);
	const groups: string[] = [];
	for (let end = whole.length; end > 0; end -= 3)
		groups.unshift(whole.slice(Math.max(0, end - 3), end));
	return { sign: units < 0n ? '−' : '', groups, fraction: digits.slice(digits.length - decimals) };
}

/** The same amount as one line of text, without grouping, as it would be typed: `-1.15000000`. */
export function amountText(units: bigint, decimals = 8): string {
	const { sign, groups, fraction } = amountParts(units, decimals);
	return `${sign === '' ? '' : '-'}${groups.join('')}${fraction === '' ? '' : `.${fraction}`}`;
}

/** An amount as prose and headings have it, without zeros at its end: `1 234.5`. */
export function amountProse(units: bigint, decimals = 8): string {
	const { sign, groups, fraction } = amountParts(units, decimals);
	const digits = fraction.replace(/0+$/, '');
	return `${sign}${groups.join('\u202f')}${digits === '' ? '' : `.${digits}`}`;
}
