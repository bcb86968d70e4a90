/**
 * Reads responses that match no form of their method exactly: extra members, missing or unreadable members. Values
 * are read exactly or not at all: a member that could not be read fails when it is used. The mismatch is still
 * counted.
 */
import type { z } from 'zod';
import { isJsonObject, type JsonValue } from './json.ts';
import { FIRST_FAULT, partsOf, type SchemaParts } from './schemaParts.ts';
import { mismatchPlace } from './validationMismatch.ts';

/** A value cannot be read as the expected type. */
class Unreadable extends Error {}

/** Ends the reading of a value that cannot be read as the expected type. */
export const unreadable = (): never => {
	throw new Unreadable();
};

/** Reads a value, or ends with {@link unreadable}. */
export type Read = (wire: JsonValue) => unknown;
export type Members = Readonly<Record<string, JsonValue>>;

/** A member of a result that was left out, was null, or could not be read. */
export interface LeftOut {
	/** Where its object is in the result. */
	path: readonly (string | number)[];
	name: string;
	/** What is wrong with it; null when the result has a value for it all the same, at least `undefined`. */
	fault: string | null;
}

/** The members that each object of a tolerantly read result lacks, with {@link LeftOut.fault}. */
const leftOut = new WeakMap<object, Map<string, string | null>>();

/** Lets a member fail when it is used, so that one that is not used does not matter. */
function lack(native: object, name: string, fault: string | null, fail: () => Error): void {
	const names = leftOut.get(native) ?? new Map<string, string | null>();
	leftOut.set(native, names.set(name, fault));
	if (fault === null) return;
	// Not enumerable: copies of the result, also those for another thread, are made without it.
	Object.defineProperty(native, name, {
		configurable: true,
		enumerable: false,
		get: () => {
			throw fail();
		}
	});
}

/**
 * Returns a member as the daemon or node reported it; null when it did not report it in a form that can be read. An
 * optional member that is absent is undefined, one that is null is unknown, too. Reading such a member without this
 * function throws, or gives a replacement, which is not a fact about the daemon.
 */
export const reported = <Native extends object, Name extends keyof Native>(
	native: Native,
	name: Name
): Native[Name] | null => (leftOut.get(native)?.has(String(name)) === true ? null : native[name]);

/** Returns a copy with another value of one member. Other members that could not be read stay so. */
export function withValue<Native extends object, Name extends keyof Native>(
	native: Native,
	name: Name,
	value: Native[Name]
): Native {
	const copy = Object.defineProperties({}, Object.getOwnPropertyDescriptors(native)) as Native;
	const lacks = leftOut.get(native);
	if (lacks !== undefined) leftOut.set(copy, lacks);
	copy[name] = value;
	return copy;
}

/** Returns a result whose members are all used, so that it fails here if one could not be read. */
export function wholeOf<Native>(native: Native): Native {
	for (const { path, name, fault } of leftOutOf(native)) {
		if (fault !== null) valueAt(native, [...path, name]);
	}
	return native;
}

const valueAt = (native: unknown, path: LeftOut['path']): unknown =>
	path.reduce<unknown>((inner, step) => (inner as Record<string, unknown>)[step], native);

/** Returns everything that a result lacks, for {@link noteLeftOut}. */
export function leftOutOf(native: unknown): LeftOut[] {
	const all: LeftOut[] = [];
	const search = (value: unknown, path: LeftOut['path']): void => {
		if (typeof value !== 'object' || value === null) return;
		for (const [name, fault] of leftOut.get(value) ?? []) all.push({ path, name, fault });
		for (const [name, inner] of Object.entries(value)) {
			search(inner, [...path, Array.isArray(value) ? Number(name) : name]);
		}
	};
	search(native, []);
	return all;
}

/**
 * Notes in a result what {@link leftOutOf} found, also after another thread decoded it.
 * @param fail returns the error to throw when a member is used; gets the place and what is wrong there
 */
export function noteLeftOut(
	native: unknown,
	all: readonly LeftOut[],
	fail: (place: string) => Error
): void {
	for (const { path, name, fault } of all) {
		lack(valueAt(native, path) as object, name, fault, () =>
			fail(mismatchPlace([...path, name], fault ?? ''))
		);
	}
}

/** Words of the schema library for a missing member. */
const MISSING = 'received undefined';

/** How the responses of a service are read. */
interface Reading {
	/** Readers of the schemas' building blocks. */
	blocks?: ReadonlyMap<unknown, Read>;
	/** Reads a value whose schema has no parts and is no building block. */
	leaf: (schema: z.ZodType, wire: JsonValue) => unknown;
	/** Native value of a member that is missing or cannot be read, where it has one all the same. */
	absent: (name: string, wire: Members) => unknown;
	/** Optional members whose absence is a fact, so that null is not the same. */
	facts: readonly string[];
	/** Types of schemas that tell one form of a response from another. */
	telling: readonly string[];
	/** The error of a member that is used although it could not be read. */
	fail: (place: string) => Error;
}

class Reader {
	readonly #reading: Reading;
	/** Number of members that could not be read so far. */
	#faults = 0;

	constructor(reading: Reading) {
		this.#reading = reading;
	}

	read(schema: z.ZodType, wire: JsonValue): unknown {
		const { blocks, leaf } = this.#reading;
		const block = blocks?.get(schema);
		if (block) return block(wire);
		const def = partsOf(schema);
		switch (def.type) {
			case 'object':
				return isJsonObject(wire) ? this.#object(def.shape!, wire) : unreadable();
			case 'union':
				return this.#union(def.options!, wire);
			case 'array':
				return Array.isArray(wire)
					? wire.map((item: JsonValue) => this.#entry(def.element!, item))
					: unreadable();
			case 'record':
				return isJsonObject(wire) ? this.#record(def, wire) : unreadable();
			case 'optional':
				return this.read(def.innerType!, wire);
			case 'nullable':
				return wire === null ? null : this.read(def.innerType!, wire);
			case 'pipe':
				return partsOf(def.in!).type === 'object' ? this.#pipe(def, wire) : leaf(schema, wire);
			default:
				return leaf(schema, wire);
		}
	}

	/** Reads an entry of a list. One that is null is an object that lacks every member. */
	#entry(schema: z.ZodType, wire: JsonValue): unknown {
		try {
			return this.read(schema, wire);
		} catch (error) {
			if (wire !== null || !(error instanceof Unreadable)) throw error;
		}
		const { shape, options = [] } = partsOf(schema);
		const names = (
			shape ? [shape] : options.map((option) => partsOf(option).shape ?? unreadable())
		).flatMap((one) => Object.keys(one));
		if (names.length === 0) return unreadable();
		const native = {};
		const { fail } = this.#reading;
		for (const name of new Set(names)) {
			this.#faults += 1;
			lack(native, name, MISSING, () => fail(mismatchPlace([name], MISSING)));
		}
		return native;
	}

	/** A conversion uses every member. */
	#pipe({ in: inner, transform }: SchemaParts, wire: JsonValue): unknown {
		const before = this.#faults;
		const native = this.read(inner!, wire);
		return this.#faults === before ? transform!(native, {}) : unreadable();
	}

	#object(shape: Record<string, z.ZodType>, wire: Members): unknown {
		const native: Record<string, unknown> = {};
		const before = this.#faults;
		let readable = 0;
		let required = 0;
		for (const [name, schema] of Object.entries(shape)) {
			const optional = partsOf(schema).type === 'optional';
			const member = Object.hasOwn(wire, name) ? wire[name] : undefined;
			if (!optional) required += 1;
			if (optional && member === undefined) continue;
			if (optional && member === null && !this.#reading.facts.includes(name)) {
				lack(native, name, null, () => new Unreadable());
			} else if (this.#member(native, name, schema, wire) && !optional) readable += 1;
		}
		// A response that shares nothing with the form is another one.
		if (required > 0 && readable === 0) {
			this.#faults = before;
			return unreadable();
		}
		return native;
	}

	/** Reads a member into the native object; returns whether the response itself has it. */
	#member(
		native: Record<string, unknown>,
		name: string,
		schema: z.ZodType,
		wire: Members
	): boolean {
		const member = Object.hasOwn(wire, name) ? wire[name] : undefined;
		const before = this.#faults;
		try {
			if (member !== undefined) {
				native[name] = this.read(schema, member);
				return true;
			}
		} catch (error) {
			if (!(error instanceof Unreadable)) throw error;
			const { telling } = this.#reading;
			if (member !== null && telling.includes(partsOf(schema).type)) throw error;
			this.#faults = before;
		}
		this.#missing(native, name, schema, wire);
		return false;
	}

	/** Notes a member that is missing or cannot be read, with a value for it where there is one. */
	#missing(native: Record<string, unknown>, name: string, schema: z.ZodType, wire: Members): void {
		const { absent, fail } = this.#reading;
		try {
			native[name] = absent(name, wire);
			lack(native, name, null, () => fail(name));
		} catch (error) {
			if (!(error instanceof Unreadable)) throw error;
			const issue = schema.safeParse(wire[name], FIRST_FAULT).error?.issues[0];
			const fault = (wire[name] ?? null) === null ? MISSING : (issue?.message ?? 'does not fit');
			this.#faults += 1;
			lack(native, name, fault, () => fail(mismatchPlace([name], fault)));
		}
	}

	/**
	 * Reads a value with the option that fits best. Options that lack a member of the value which another option
	 * has are skipped.
	 */
	#union(options: readonly z.ZodType[], wire: JsonValue): unknown {
		// A value (other than an object) that an option accepts strictly needs no tolerant reading.
		for (const option of options) {
			const plain = isJsonObject(wire) ? undefined : option.safeParse(wire, FIRST_FAULT);
			if (plain?.success) return plain.data;
		}
		const shapes = options.map((option) => partsOf(option).shape);
		const known = new Set(shapes.flatMap((shape) => Object.keys(shape ?? {})));
		const before = this.#faults;
		let best: { native: unknown; faults: number } | null = null;
		for (const [index, option] of options.entries()) {
			const shape = shapes[index];
			const leavesOut =
				shape !== undefined &&
				isJsonObject(wire) &&
				Object.keys(wire).some((name) => known.has(name) && !Object.hasOwn(shape, name));
			if (leavesOut) continue;
			try {
				this.#faults = before;
				const native = this.read(option, wire);
				if (best === null || this.#faults < best.faults) best = { native, faults: this.#faults };
				if (best.faults === before) break;
			} catch (error) {
				if (!(error instanceof Unreadable)) throw error;
			}
		}
		this.#faults = best?.faults ?? before;
		return best === null ? unreadable() : best.native;
	}

	#record({ keyType, valueType }: SchemaParts, wire: Members): unknown {
		return Object.fromEntries(
			Object.entries(wire).map(([name, member]) => [
				String(this.read(keyType!, name)),
				this.read(valueType!, member)
			])
		);
	}
}

/** Reads a response in the first of these forms that fits; null when none does. */
export function readTolerantly(
	forms: readonly z.ZodType[],
	wire: JsonValue,
	reading: Reading
): unknown {
	for (const form of forms) {
		try {
			const native = new Reader(reading).read(form, wire);
			noteWritten(native, wire);
			return native;
		} catch (error) {
			if (!(error instanceof Unreadable)) throw error;
		}
	}
	return null;
}

const written = new WeakMap<object, JsonValue>();

/** Remembers the original response of a result that was decoded in another thread. */
export function noteWritten(native: unknown, wire: JsonValue): void {
	if (typeof native === 'object' && native !== null) written.set(native, wire);
}

/** Returns the original response of a tolerantly decoded result; undefined for all others. */
export function asWritten(native: unknown): JsonValue | undefined {
	return typeof native === 'object' && native !== null ? written.get(native) : undefined;
}
