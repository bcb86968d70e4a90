import { isJsonObject, JsonNumber, type JsonValue } from '#lib/rpc/json.ts';

/** One mutation of a response: its rule, its place, and the mutated response. */
export interface Mutant {
	rule: 'remove' | 'retype' | 'encodeDialect' | 'add' | 'digits';
	/** Member names; array indexes are left out. */
	path: string;
	value: JsonValue;
}

/** A similar value of another JSON type. */
function retyped(value: JsonValue): JsonValue {
	if (value instanceof JsonNumber) return value.source;
	if (typeof value === 'string') return new JsonNumber('7');
	if (typeof value === 'boolean') return String(value);
	if (value === null) return false;
	if (Array.isArray(value)) return { '0': null };
	return [value];
}

/** The same value in digits that a daemon does not write, or null if there are none. */
function redigited(value: JsonValue): JsonValue {
	if (value instanceof JsonNumber) {
		const { source } = value;
		if (source === '0' || /e/i.test(source)) return null;
		return new JsonNumber(source.includes('.') ? `${source}0` : `${source}.0`);
	}
	if (typeof value !== 'string' || !/^[0-9a-f]{8,}$/.test(value)) return null;
	return value === value.toUpperCase() ? null : value.toUpperCase();
}

/** The members of a response and the kinds of their values; list items of the same form count once. */
export function formOf(value: JsonValue): string {
	if (value instanceof JsonNumber) return /^-?\d+$/.test(value.source) ? 'integer' : 'decimal';
	if (typeof value === 'string') return /^[0-9a-f]{8,}$/.test(value) ? 'hex' : 'text';
	if (Array.isArray(value)) {
		return `[${[...new Set((value as JsonValue[]).map(formOf))].toSorted().join()}]`;
	}
	if (!isJsonObject(value)) return String(value);
	return `{${Object.entries(value)
		.map(([name, member]) => `${name}:${formOf(member)}`)
		.toSorted()
		.join()}}`;
}

/**
 * Mutates a response at any depth: one member removed, retyped, respelled, written in other digits, or added.
 */
export function* mutants(value: JsonValue, path: string[] = []): Generator<Mutant> {
	const at = (name: string): string => [...path, name].join('.');
	if (Array.isArray(value)) {
		const items = value as JsonValue[];
		// Of items with the same members the first stands for the others.
		const seen = new Set<string>();
		for (const [index, item] of items.entries()) {
			const shape = isJsonObject(item) ? Object.keys(item).join() : typeof item;
			if (seen.has(shape)) continue;
			seen.add(shape);
			for (const inner of mutants(item, path)) {
				yield { ...inner, value: items.map((old, i) => (i === index ? inner.value : old)) };
			}
		}
		return;
	}
	if (!isJsonObject(value)) return;
	yield { rule: 'add', path: at('unexpected'), value: { ...value, unexpected: true } };
	for (const [name, member] of Object.entries(value)) {
		const { [name]: _removed, ...rest } = value;
		yield { rule: 'remove', path: at(name), value: rest };
		yield { rule: 'retype', path: at(name), value: { ...value, [name]: retyped(member) } };
		yield { rule: 'encodeDialect', path: at(name), value: { ...rest, [`${name}_`]: member } };
		const other = redigited(member);
		if (other !== null) {
			yield { rule: 'digits', path: at(name), value: { ...value, [name]: other } };
		}
		for (const inner of mutants(member, [...path, name])) {
			yield { ...inner, value: { ...value, [name]: inner.value } };
		}
	}
}

/** Whether a mutated response is in the list of accepted ones; a star in a line matches one name. */
export const isLawful = (mutant: string, lines: readonly string[]): boolean =>
	lines.some((line) => {
		const [names, wanted] = [mutant.split('.'), line.split('.')];
		return (
			names.length === wanted.length && wanted.every((name, i) => name === '*' || name === names[i])
		);
	});
