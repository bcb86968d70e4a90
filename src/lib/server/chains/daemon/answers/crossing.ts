/**
 * Native values between threads. A structured clone keeps `bigint` and loses classes; a number that kept its
 * digits crosses as a text object, which nothing else in a native value is.
 */
import { JsonNumber } from '#lib/rpc/json.ts';

type Place = Record<string, unknown>;

/** Replaces values inside of a tree, in place. */
function replaced(value: unknown, by: (value: object) => unknown): unknown {
	if (typeof value !== 'object' || value === null) return value;
	const other = by(value);
	if (other !== undefined) return other;
	// Arrays as well: their names are their indexes.
	const place = value as Place;
	for (const name of Object.keys(place)) {
		const inner = place[name];
		if (typeof inner !== 'object' || inner === null) continue;
		const now = replaced(inner, by);
		if (now !== inner) place[name] = now;
	}
	return value;
}

/** Ready to be cloned. The value itself is changed. */
export const packed = (value: unknown): unknown =>
	replaced(value, (inner) => (inner instanceof JsonNumber ? Object(inner.source) : undefined));

/** What came over, as it was. */
export const unpacked = (value: unknown): unknown =>
	replaced(value, (inner) => (inner instanceof String ? new JsonNumber(String(inner)) : undefined));
