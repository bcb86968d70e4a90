/**
 * Words and figures as pages show them. Pure: the server and the browser get the same text.
 */
import { count, plural } from '#lib/text/plural.ts';

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

export { count, plural };

const UNITS: readonly [seconds: number, one: string, many: string][] = [
	[86_400, 'day', 'days'],
	[3_600, 'hour', 'hours'],
	[60, 'minute', 'minutes'],
	[1, 'second', 'seconds']
];

/** How long something lasted or lasts, in its largest unit: `4 minutes`. */
export function duration(seconds: number): string {
	const whole = Math.max(0, Math.floor(seconds));
	for (const [size, one, many] of UNITS) {
		if (whole >= size) {
			const n = Math.floor(whole / size);
			return `${n} ${n === 1 ? one : many}`;
		}
	}
	return 'no time';
}

/** The age of a moment, both in Unix milliseconds: `3 minutes ago`, `just now`, `in 2 hours`. */
export function age(at: number, now: number): string {
	const seconds = Math.round((now - at) / 1000);
	if (seconds < -5) return `in ${duration(-seconds)}`;
	return seconds < 5 ? 'just now' : `${duration(seconds)} ago`;
}

/** A moment in UTC, to the second: `2026-11-21 05:24:07 UTC`. */
export function utc(at: number): string {
	return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** The hour and minute of a moment in UTC: `12:03 UTC`. */
export function utcClock(at: number): string {
	return `${new Date(at).toISOString().slice(11, 16)} UTC`;
}

/** How many bytes a text takes as UTF-8: what the chain's limits count. */
export function utf8Length(text: string): number {
	return new TextEncoder().encode(text).length;
}

const HUES = 12;

/**
 * The hue class of a chain. The same name has the same hue on every instance: it is a hash of the name
 * (FNV-1a), so nothing is configured.
 */
export function hueClass(chain: string): string {
	let hash = 0x811c9dc5;
	for (let i = 0; i < chain.length; i++) {
		hash = Math.imul(hash ^ chain.charCodeAt(i), 0x01000193) >>> 0;
	}
	return `hue-${((hash ^ (hash >>> 16)) >>> 0) % HUES}`;
}

/** JSON text of any value our pages hold; a bigint is written as the whole number it is. */
export function jsonText(value: unknown): string {
	const marked = JSON.stringify(
		value,
		(_, member: unknown) => (typeof member === 'bigint' ? `\u0000${member}\u0000` : member),
		2
	);
	return (marked ?? 'null').replace(/"\\u0000(-?\d+)\\u0000"/g, '$1');
}
