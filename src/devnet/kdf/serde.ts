/**
 * Reads typed values out of JSON and says what does not fit in the words of the trading node's own
 * parser, because clients see them (`error_data` of InvalidRequest).
 */
import { isJsonObject, JsonNumber, type JsonValue } from '#lib/rpc/json.ts';

/** A value of another type than wanted. */
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

/** Takes whatever there is. */
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

/** A number whose every digit counts, because it comes back in the answer. */
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

/** A name among others, given as a string or as an object with that one member. */
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

/** A member of an object: how to read it, and what it is when it is not there. */
interface Field<T> {
	read: Read<T>;
	/** Null when it has to be there. */
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
 * An object with these members, or a list of their values in order. Others are ignored unless they are
 * denied.
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

/** A case of a tagged object, by its name. */
type TaggedCase<T extends Readonly<Record<string, Read<unknown> | null>>> = {
	[K in keyof T & string]: { type: K; value: T[K] extends Read<infer V> ? V : undefined };
}[keyof T & string];

/** An object whose member `tag` names what `content` holds; null for a name without content. */
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

/** A struct without members: only null fits. */
export const unit =
	(name: string): Read<null> =>
	(value) => {
		if (value === null) return null;
		throw invalidType(value, `unit struct ${name}`);
	};
