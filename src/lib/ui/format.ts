/**
 * Words and figures as pages show them. Pure: the server and the browser get the same text.
 */
import { amountParts, amountProse, amountText } from '#lib/text/amounts.ts';
import { duration } from '#lib/text/duration.ts';
import { count, plural } from '#lib/text/plural.ts';

export { amountParts, amountProse, amountText, count, duration, plural };

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

/** Characters of a chain's name that stands on one line wherever it is named. */
const SHORT_NAME = 16;

/** The class by which a chain's name stays whole where it fits, and one that daemons take as well breaks. */
export const nameClass = (chain: string): string =>
	chain.length > SHORT_NAME ? 'wrap-anywhere whitespace-normal' : 'whitespace-nowrap';

/** JSON text of any value our pages hold; a bigint is written as the whole number it is. */
export function jsonText(value: unknown): string {
	const marked = JSON.stringify(
		value,
		(_, member: unknown) => (typeof member === 'bigint' ? `\u0000${member}\u0000` : member),
		2
	);
	return (marked ?? 'null').replace(/"\\u0000(-?\d+)\\u0000"/g, '$1');
}
