/** Formats text and figures for pages. Pure, so that server and browser produce the same text. */
import { amountParts, amountProse, amountText } from '#lib/text/amounts.ts';
import { duration } from '#lib/text/duration.ts';
import { count, plural } from '#lib/text/plural.ts';
import { utc, utcClock } from '#lib/text/utc.ts';

export { amountParts, amountProse, amountText, count, duration, plural, utc, utcClock };

/** Formats the age of a time, both in Unix milliseconds: `3 minutes ago`, `just now`, `in 2 hours`. */
export function age(at: number, now: number): string {
	const seconds = Math.round((now - at) / 1000);
	if (seconds < -5) return `in ${duration(-seconds)}`;
	return seconds < 5 ? 'just now' : `${duration(seconds)} ago`;
}

/** Returns the length of a text in UTF-8 bytes, which the chain's limits count. */
export function utf8Length(text: string): number {
	return new TextEncoder().encode(text).length;
}

const HUES = 12;

/**
 * Returns the hue class of a chain. It is a hash of the name (FNV-1a), so that a chain has the same hue on
 * every instance without configuration.
 */
export function hueClass(chain: string): string {
	let hash = 0x811c9dc5;
	for (let i = 0; i < chain.length; i++) {
		hash = Math.imul(hash ^ chain.charCodeAt(i), 0x01000193) >>> 0;
	}
	return `hue-${((hash ^ (hash >>> 16)) >>> 0) % HUES}`;
}

/** Maximum length of a chain name that is kept on one line. */
const SHORT_NAME = 16;

/**
 * Returns the class for a chain name: short names stay on one line, long ones, which daemons accept too,
 * may wrap.
 */
export const nameClass = (chain: string): string =>
	chain.length > SHORT_NAME ? 'wrap-anywhere whitespace-normal' : 'whitespace-nowrap';

/** Returns JSON text of any value that pages use; a bigint is written as an integer. */
export function jsonText(value: unknown): string {
	const marked = JSON.stringify(
		value,
		(_, member: unknown) => (typeof member === 'bigint' ? `\u0000${member}\u0000` : member),
		2
	);
	return (marked ?? 'null').replace(/"\\u0000(-?\d+)\\u0000"/g, '$1');
}
