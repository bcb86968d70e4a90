/** Numbers and their nouns. */

/** A whole number with thin groups: 1 234 567. */
export function count(value: number | bigint): string {
	return value.toString().replace(/\B(?=(\d{3})+(?!\d))/g, '\u202f');
}

/** One noun with its number: `1 token`, `3 tokens`. */
export function plural(value: number | bigint, one: string, many = `${one}s`): string {
	return `${count(value)} ${value === 1 || value === 1n ? one : many}`;
}

/** What a number of a token's smallest amounts is counted in, where the number stands apart. */
export const baseUnits = (value: bigint): string => (value === 1n ? 'base unit' : 'base units');
