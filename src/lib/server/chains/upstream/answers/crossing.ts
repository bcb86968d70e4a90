/**
 * Passes native values between threads. A structured clone keeps `bigint` and loses classes, so a `JsonNumber` is
 * sent as a `String` object, which occurs nowhere else in a native value.
 */
import { JsonNumber } from '#lib/rpc/json.ts';

type Place = Record<string, unknown>;

/** Replaces values inside a tree, in place. */
function replaced(value: unknown, by: (value: object) => unknown): unknown {
	if (typeof value !== 'object' || value === null) return value;
	const other = by(value);
	if (other !== undefined) return other;
	// Works for arrays too: their keys are the indexes.
	const place = value as Place;
	for (const name of Object.keys(place)) {
		const inner = place[name];
		if (typeof inner !== 'object' || inner === null) continue;
		const now = replaced(inner, by);
		if (now !== inner) place[name] = now;
	}
	return value;
}

/** Prepares a value for the structured clone. Modifies the value. */
export const packed = (value: unknown): unknown =>
	replaced(value, (inner) => (inner instanceof JsonNumber ? Object(inner.source) : undefined));

/** Restores a value that {@link packed} prepared. Modifies the value. */
export const unpacked = (value: unknown): unknown =>
	replaced(value, (inner) => (inner instanceof String ? new JsonNumber(String(inner)) : undefined));
