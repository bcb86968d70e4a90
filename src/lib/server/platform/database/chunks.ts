/** Splits a list into parts for statements that take a limited number of values: rows to insert, or an `in (…)`. */
export function* chunks<T>(items: readonly T[], size = 500): Generator<T[]> {
	for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}
