/** Finds members by a path in JSON. Lists are not a level of a path; a star stands for any member of a map. */
import { isJsonObject, stringifyJson, type JsonValue } from '#lib/rpc/json.ts';

/** Observations of a member. */
interface Seen {
	values: readonly JsonValue[];
	/** An object that could contain it exists, but does not. */
	absent: boolean;
}

function look(value: JsonValue, parts: readonly string[], values: JsonValue[]): boolean {
	const [first, ...rest] = parts;
	if (first === undefined) {
		values.push(value);
		return false;
	}
	if (Array.isArray(value)) {
		// A list may have the entries that a map has by key.
		const inner = first === '*' ? rest : parts;
		return (value as readonly JsonValue[]).map((one) => look(one, inner, values)).includes(true);
	}
	if (!isJsonObject(value)) return false;
	if (first === '*') {
		return Object.values(value)
			.map((one) => look(one, rest, values))
			.includes(true);
	}
	const member = value[first];
	return member === undefined ? rest.length === 0 : look(member, rest, values);
}

export function seen(value: JsonValue, path: string): Seen {
	const values: JsonValue[] = [];
	const absent = look(value, path.split('.'), values);
	return { values, absent };
}

/** The value without the member; null when the member is not there. */
export function without(value: JsonValue, path: string): JsonValue | null {
	const parts = path.split('.');
	let found = false;
	const cut = (one: JsonValue, at: number): JsonValue => {
		if (Array.isArray(one)) return (one as readonly JsonValue[]).map((item) => cut(item, at));
		if (!isJsonObject(one)) return one;
		const name = parts[at]!;
		if (one[name] === undefined) return one;
		const { [name]: member, ...rest } = one;
		if (at === parts.length - 1) {
			found = true;
			return rest;
		}
		return { ...one, [name]: cut(member!, at + 1) };
	};
	const result = cut(value, 0);
	return found ? result : null;
}

const sorted = (value: JsonValue): unknown => {
	if (Array.isArray(value)) return (value as readonly JsonValue[]).map(sorted);
	if (!isJsonObject(value)) return value;
	return Object.fromEntries(
		Object.entries(value)
			.sort(([a], [b]) => (a < b ? -1 : 1))
			.map(([name, inner]) => [name, sorted(inner)])
	);
};

/** The same text for equal values, whatever the order of their members. */
export const canonical = (value: JsonValue): string => stringifyJson(sorted(value));
