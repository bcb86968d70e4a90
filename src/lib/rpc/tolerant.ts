/**
 * Reads responses of daemons that match neither dialect exactly: extra members, missing or unreadable members,
 * numbers with fewer decimals, with an exponent or as text, upper-case hex. Values are read exactly or not at all: a
 * member that could not be read fails when it is used. The mismatch is still counted.
 */
import type { z } from 'zod';
import type { Dialect } from './codec.ts';
import { daemonMethods, type DaemonMethod, type DaemonResult } from './daemon/index.ts';
import { exactInteger } from './exact.ts';
import { isJsonObject, JsonNumber, type JsonValue } from './json.ts';
import type { Method } from './method.ts';
import { RpcError } from './rpcError.ts';
import { FIRST_FAULT, partsOf, type SchemaParts } from './schemaParts.ts';
import * as types from './types.ts';
import { mismatchPlace } from './validationMismatch.ts';

/** A value cannot be read as the expected type. */
class Unreadable extends Error {}

const no = (): never => {
	throw new Unreadable();
};

type Read = (wire: JsonValue) => unknown;

const digitsOf = (wire: JsonValue): string =>
	wire instanceof JsonNumber ? wire.source : typeof wire === 'string' ? wire.trim() : no();

function integer(wire: JsonValue): number {
	const value = exactInteger(digitsOf(wire));
	if (value === null || !Number.isSafeInteger(Number(value))) return no();
	return Number(value);
}

/** A decimal point is refused: the interface document uses it for coins, which are 10^8 times as much. */
function units(wire: JsonValue): bigint {
	const digits = digitsOf(wire);
	return digits.includes('.') ? no() : (exactInteger(digits) ?? no());
}

const coins: Read = (wire) => exactInteger(digitsOf(wire), 8) ?? no();

const lowerCase =
	(schema: z.ZodType): Read =>
	(wire) =>
		strict(schema, typeof wire === 'string' ? wire.toLowerCase() : wire);

/** Not an amount: the digits are kept as written. */
function real(wire: JsonValue): JsonNumber {
	if (exactInteger(digitsOf(wire), 18) === null && !(wire instanceof JsonNumber)) return no();
	return wire instanceof JsonNumber ? wire : new JsonNumber(String(Number(wire)));
}

const time: Read = (wire) => strict(types.seconds, new JsonNumber(String(integer(wire))));

const wholeText: Read = (wire) => String(exactInteger(digitsOf(wire)) ?? no());

/** Tolerant readers of the schemas' building blocks. */
const BLOCKS = new Map<unknown, Read>([
	[types.int, integer],
	[types.seconds, time],
	[types.units, units],
	[types.coins, coins],
	[types.coinsOfSeed, coins],
	[types.ccidText, integer],
	[types.real, real],
	[types.digits, wholeText],
	[types.hash, lowerCase(types.hash)],
	[types.pubkey, lowerCase(types.pubkey)],
	[types.anyPubkey, lowerCase(types.anyPubkey)],
	[types.hex, lowerCase(types.hex)],
	[types.hexOrEmpty, lowerCase(types.hexOrEmpty)],
	[types.hex4, lowerCase(types.hex4)]
]);

type Members = Readonly<Record<string, JsonValue>>;

/**
 * Native value of a missing member that follows from another one, or has one meaning where it is not written. Data
 * that pages report or guards check is never made up.
 */
const ABSENT = new Map<string, (wire: Members) => unknown>(
	Object.entries({
		rawconfirmations: ({ confirmations }) =>
			confirmations === undefined ? no() : integer(confirmations),
		blocktime: ({ time: found }) => (found === undefined ? no() : time(found)),
		valueZat: ({ value }) => (value === undefined ? no() : coins(value)),
		valueSat: ({ value }) => (value === undefined ? no() : coins(value)),
		generated: () => false
	} satisfies Record<string, (wire: Members) => unknown>)
);

/** Native values that apply to one method only. */
const ABSENT_OF: Partial<Record<DaemonMethod, Readonly<Record<string, unknown>>>> = {
	getinfo: {
		// Default relay fee of Komodo daemon 0.9.0.
		relayfee: 100n,
		// A daemon that does not report the upgrade is treated as having it from height 0.
		sapling: 0,
		// A key with which nothing can be built or paid has the effect of none.
		pubkey: undefined
	},
	// The interface document shows only `hex` and `complete`: without `errors`, a transaction can still be
	// incomplete.
	signrawtransaction: { errors: [] }
};

/** Optional members whose absence is a fact, so that null is not the same. */
const FACTS: Partial<Record<DaemonMethod, readonly string[]>> = {
	getinfo: ['CCid', 'pubkey', 'balance', 'unlocked_until'],
	// A token burn is no burn of coins, and a non-fungible token no fungible one.
	getwalletburntransactions: ['tokenid', 'inMempool'],
	tokeninfo: ['data', 'IsImported', 'sourceChain', 'sourceTokenId'],
	// What a payment does not claim is lost to the miner.
	listunspent: ['interest']
};

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
 * Returns a member as the daemon reported it; null when it did not report it in a form that can be read. An optional
 * member that is absent is undefined, one that is null is unknown, too. Reading such a member without this function
 * throws, or gives a replacement, which is not a fact about the daemon.
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

function strict(schema: z.ZodType, wire: unknown): unknown {
	const parsed = schema.safeParse(wire, FIRST_FAULT);
	return parsed.success ? parsed.data : no();
}

/** Words of the schema library for a missing member. */
const MISSING = 'received undefined';

/** Types of schemas that tell one form of a response from another. */
const TELLING: ReadonlySet<string> = new Set(['literal', 'enum']);

class Reader {
	readonly #method: DaemonMethod;
	readonly #absent: Readonly<Record<string, unknown>>;
	readonly #facts: readonly string[];
	/** Number of members that could not be read so far. */
	#faults = 0;

	constructor(method: DaemonMethod) {
		this.#method = method;
		this.#absent = ABSENT_OF[method] ?? {};
		this.#facts = FACTS[method] ?? [];
	}

	read(schema: z.ZodType, wire: JsonValue): unknown {
		const block = BLOCKS.get(schema);
		if (block) return block(wire);
		const def = partsOf(schema);
		switch (def.type) {
			case 'object':
				return isJsonObject(wire) ? this.#object(def.shape!, wire) : no();
			case 'union':
				return this.#union(def.options!, wire);
			case 'array':
				return Array.isArray(wire)
					? wire.map((item: JsonValue) => this.read(def.element!, item))
					: no();
			case 'record':
				return isJsonObject(wire) ? this.#record(def, wire) : no();
			case 'optional':
				return this.read(def.innerType!, wire);
			case 'pipe':
				return partsOf(def.in!).type === 'object' ? this.#pipe(def, wire) : strict(schema, wire);
			default:
				return strict(schema, wire);
		}
	}

	/** A conversion uses every member. */
	#pipe({ in: inner, transform }: SchemaParts, wire: JsonValue): unknown {
		const before = this.#faults;
		const native = this.read(inner!, wire);
		return this.#faults === before ? transform!(native, {}) : no();
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
			if (optional && member === null && !this.#facts.includes(name)) {
				lack(native, name, null, () => new Unreadable());
			} else if (this.#member(native, name, schema, wire) && !optional) readable += 1;
		}
		// A response that shares nothing with the form is another one.
		if (required > 0 && readable === 0) {
			this.#faults = before;
			return no();
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
			if (member !== null && TELLING.has(partsOf(schema).type)) throw error;
			this.#faults = before;
		}
		this.#missing(native, name, schema, wire);
		return false;
	}

	/** Notes a member that is missing or cannot be read, with a value for it where there is one. */
	#missing(native: Record<string, unknown>, name: string, schema: z.ZodType, wire: Members): void {
		const method = this.#method;
		const fail = (place: string): Error => new RpcError('validation-mismatch', { method, place });
		try {
			const isFact = wire[name] === null && this.#facts.includes(name);
			const replacement =
				!isFact && Object.hasOwn(this.#absent, name)
					? this.#absent[name]
					: (ABSENT.get(name) ?? no)(wire);
			native[name] = replacement;
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
		return best === null ? no() : best.native;
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

const written = new WeakMap<object, JsonValue>();

/**
 * Decodes a response that {@link decodeResult} rejects; null when it cannot be read without guessing.
 * Failures in results are not detected: call `inBandError` first.
 */
export function decodeTolerantly<M extends DaemonMethod>(
	method: M,
	wire: JsonValue,
	dialect: Dialect = 'komodod'
): DaemonResult<M> | null {
	const { result, seedResult } = daemonMethods[method] as unknown as Method;
	const schemas = seedResult === undefined ? [result] : [result, seedResult];
	if (dialect === 'seed') schemas.reverse();
	const reader = new Reader(method);
	for (const schema of schemas) {
		try {
			const native = reader.read(schema, wire);
			noteWritten(native, wire);
			return native as DaemonResult<M>;
		} catch (error) {
			if (!(error instanceof Unreadable)) throw error;
		}
	}
	return null;
}

/** Remembers the original response of a result that was decoded in another thread. */
export function noteWritten(native: unknown, wire: JsonValue): void {
	if (typeof native === 'object' && native !== null) written.set(native, wire);
}

/** Returns the original response of a tolerantly decoded result; undefined for all others. */
export function asWritten(native: unknown): JsonValue | undefined {
	return typeof native === 'object' && native !== null ? written.get(native) : undefined;
}
