/**
 * Typed readers for JSON that report errors in the words of the trading node's parser (Rust's serde), because
 * clients see them (`error_data` of InvalidRequest).
 */
import { isJsonObject, JsonNumber, type JsonValue } from '#lib/rpc/json.ts';

/** A value does not have the expected type. */
export class SerdeError extends Error {
	override readonly name = 'SerdeError';
}

export type Read<T> = (value: JsonValue) => T;

const isInteger = (value: JsonNumber): boolean => /^-?\d+$/.test(value.source);

const unexpected = (value: JsonValue): string => {
	if (value === null) return 'null';
	if (typeof value === 'boolean') return `boolean \`${value}\``;
	if (typeof value === 'string') return `string ${JSON.stringify(value)}`;
	if (value instanceof JsonNumber) {
		return isInteger(value) ? `integer \`${value.source}\`` : `floating point \`${value.source}\``;
	}
	return Array.isArray(value) ? 'sequence' : 'map';
};

const invalidType = (value: JsonValue, expected: string): SerdeError =>
	new SerdeError(`invalid type: ${unexpected(value)}, expected ${expected}`);

const oneOf = (names: readonly string[]): string => {
	const quoted = names.map((name) => `\`${name}\``);
	if (quoted.length === 1) return quoted[0]!;
	return quoted.length === 2 ? quoted.join(' or ') : `one of ${quoted.join(', ')}`;
};

export const string: Read<string> = (value) => {
	if (typeof value === 'string') return value;
	throw invalidType(value, 'a string');
};

export const boolean: Read<boolean> = (value) => {
	if (typeof value === 'boolean') return value;
	throw invalidType(value, 'a boolean');
};

/** Accepts any value. */
export const anything: Read<JsonValue> = (value) => value;

const unsigned =
	(name: string, max: bigint): Read<number> =>
	(value) => {
		if (!(value instanceof JsonNumber) || !isInteger(value)) throw invalidType(value, name);
		const number = BigInt(value.source);
		if (number < 0n || number > max) {
			throw new SerdeError(`invalid value: ${unexpected(value)}, expected ${name}`);
		}
		return Number(number);
	};

/** An unsigned 64-bit integer as bigint, for values that are returned and must keep all digits. */
export const exactU64: Read<bigint> = (value) => {
	u64(value);
	return BigInt((value as JsonNumber).source);
};

export const u64 = unsigned('u64', 2n ** 64n - 1n);
export const usize = unsigned('usize', 2n ** 64n - 1n);
export const u32 = unsigned('u32', 2n ** 32n - 1n);

export const f64: Read<number> = (value) => {
	if (value instanceof JsonNumber) return value.toNumber();
	throw invalidType(value, 'f64');
};

export const list =
	<T>(read: Read<T>): Read<T[]> =>
	(value) => {
		if (!Array.isArray(value)) throw invalidType(value, 'a sequence');
		return (value as JsonValue[]).map(read);
	};

/** One of several names, given as a string or as the only member of an object. */
export const variant =
	<T extends string>(...names: readonly T[]): Read<T> =>
	(value) => {
		const members = isJsonObject(value) ? Object.keys(value) : [];
		const given = typeof value === 'string' ? value : members[0];
		if (given === undefined) throw invalidType(value, 'string or map');
		const found = names.find((name) => name === given);
		if (found === undefined) {
			throw new SerdeError(`unknown variant \`${given}\`, expected ${oneOf(names)}`);
		}
		return found;
	};

/** A member of an object: its reader, and its value when absent. */
interface Field<T> {
	read: Read<T>;
	/** Null when the member is required. */
	absent: (() => T) | null;
}

export const required = <T>(read: Read<T>): Field<T> => ({ read, absent: null });

/** May be absent or null. */
export const optional = <T>(read: Read<T>): Field<T | undefined> => ({
	read: (value) => (value === null ? undefined : read(value)),
	absent: () => undefined
});

/** May be absent, but not null. */
export const fallback = <T>(read: Read<T>, value: T): Field<T> => ({ read, absent: () => value });

type Fields = { readonly [name: string]: Field<unknown> };
type Struct<F extends Fields> = {
	[K in keyof F]: F[K] extends Field<infer T> ? T : never;
};

/**
 * An object with these members, or a list of their values in order. Unknown members are ignored unless `deny`
 * is set.
 */
export const struct =
	<F extends Fields>(name: string, fields: F, { deny = false } = {}): Read<Struct<F>> =>
	(value) => {
		const found = new Map<string, unknown>();
		const names = Object.keys(fields);
		if (Array.isArray(value)) {
			(value as JsonValue[]).slice(0, names.length).forEach((item, index) => {
				found.set(names[index]!, fields[names[index]!]!.read(item));
			});
			if (value.length < names.length) {
				throw new SerdeError(
					`invalid length ${value.length}, expected struct ${name} with ${names.length} elements`
				);
			}
		} else if (isJsonObject(value)) {
			for (const [member, item] of Object.entries(value)) {
				if (Object.hasOwn(fields, member)) found.set(member, fields[member]!.read(item));
				else if (deny) {
					throw new SerdeError(`unknown field \`${member}\`, expected ${oneOf(names)}`);
				}
			}
		} else throw invalidType(value, `struct ${name}`);
		for (const member of names) {
			if (found.has(member)) continue;
			const { absent } = fields[member]!;
			if (!absent) throw new SerdeError(`missing field \`${member}\``);
			found.set(member, absent());
		}
		return Object.fromEntries(found) as Struct<F>;
	};

/** A variant of a tagged object. */
type TaggedCase<T extends Readonly<Record<string, Read<unknown> | null>>> = {
	[K in keyof T & string]: { type: K; value: T[K] extends Read<infer V> ? V : undefined };
}[keyof T & string];

/** An object whose member `tag` names the type of member `content`; null for a variant without content. */
export const tagged =
	<T extends { readonly [name: string]: Read<unknown> | null }>(
		name: string,
		tag: string,
		content: string,
		cases: T
	): Read<TaggedCase<T>> =>
	(value) => {
		if (!isJsonObject(value)) throw invalidType(value, `adjacently tagged enum ${name}`);
		if (!Object.hasOwn(value, tag)) throw new SerdeError(`missing field \`${tag}\``);
		const type = variant(...Object.keys(cases))(value[tag]!);
		const read = cases[type] as Read<unknown> | null;
		if (read && !Object.hasOwn(value, content)) {
			throw new SerdeError(`missing field \`${content}\``);
		}
		return { type, value: read ? read(value[content]!) : undefined } as TaggedCase<T>;
	};

/** A struct without members: only null is accepted. */
export const unit =
	(name: string): Read<null> =>
	(value) => {
		if (value === null) return null;
		throw invalidType(value, `unit struct ${name}`);
	};
