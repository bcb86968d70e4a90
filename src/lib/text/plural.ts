/** Formats numbers with their nouns. */

/** Formats an integer with thin spaces between thousands: 1 234 567. */
export function count(value: number | bigint): string {
	return value.toString().replace(/\B(?=(\d{3})+(?!\d))/g, '\u202f');
}

/** Formats a number with its noun: `1 token`, `3 tokens`. */
export function plural(value: number | bigint, one: string, many = `${one}s`): string {
	return `${count(value)} ${value === 1 || value === 1n ? one : many}`;
}

/** Returns the noun for a number of a token's base units, where the number is shown separately. */
export const baseUnits = (value: bigint): string => (value === 1n ? 'base unit' : 'base units');
