/** Parts of a list, for statements that take so many values: rows to insert, or an `in (…)`. */
export function* chunks<T>(items: readonly T[], size = 500): Generator<T[]> {
	for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}
