import { JsonNumber, type JsonValue } from '#lib/rpc/json.ts';
import { RPC_MISC, RPC_TYPE, RpcError, UsageError } from './error.ts';

const INT32_MAX = 2147483647n;

const kindOf = (value: JsonValue | undefined): string => {
	if (value === undefined || value === null) return 'null';
	if (Array.isArray(value)) return 'array';
	if (value instanceof JsonNumber) return 'number';
	if (typeof value === 'boolean') return 'bool';
	if (typeof value === 'string') return 'string';
	return 'object';
};

/** Reads a JSON string as the daemon does: anything else is code -1. */
export const asString = (value: JsonValue | undefined): string => {
	if (typeof value !== 'string') {
		throw new RpcError(RPC_MISC, 'JSON value is not a string as expected');
	}
	return value;
};

/** Reads a 32-bit JSON integer as the daemon does; a fraction or exponent is out of range. */
export const asInteger = (value: JsonValue | undefined): number => {
	if (!(value instanceof JsonNumber)) {
		throw new RpcError(RPC_MISC, 'JSON value is not an integer as expected');
	}
	if (!/^-?\d+$/.test(value.source)) throw new RpcError(RPC_MISC, 'JSON integer out of range');
	const number = BigInt(value.source);
	if (number > INT32_MAX || number < -INT32_MAX - 1n) {
		throw new RpcError(RPC_MISC, 'JSON integer out of range');
	}
	return Number(number);
};

/** Reads a JSON boolean as the daemon does. */
const asBool = (value: JsonValue | undefined): boolean => {
	if (typeof value !== 'boolean') {
		throw new RpcError(RPC_MISC, 'JSON value is not a boolean as expected');
	}
	return value;
};

/** Reads a JSON array as the daemon does. */
export const asArray = (value: JsonValue | undefined): readonly JsonValue[] => {
	if (!Array.isArray(value)) {
		throw new RpcError(RPC_MISC, 'JSON value is not an array as expected');
	}
	return value;
};

/** A plain JSON object, or code -1. */
export const asObject = (value: JsonValue | undefined): { readonly [key: string]: JsonValue } => {
	if (kindOf(value) !== 'object') {
		throw new RpcError(RPC_MISC, 'JSON value is not an object as expected');
	}
	return value as { readonly [key: string]: JsonValue };
};

/** A member of an object by its own name only. */
export const member = (
	object: { readonly [key: string]: JsonValue },
	name: string
): JsonValue | undefined => (Object.hasOwn(object, name) ? object[name] : undefined);

/** The explicit check of some methods: code -3 with both type names. */
export const expectKind = (value: JsonValue | undefined, kind: string): void => {
	const got = kindOf(value);
	if (got !== kind) throw new RpcError(RPC_TYPE, `Expected type ${kind}, got ${got}`);
};

/**
 * The positional parameters of one call. Komodo daemon 0.9.0 is strict about the JSON type of each
 * parameter and loose about what a string holds.
 */
export class Params {
	readonly values: readonly JsonValue[];

	constructor(values: readonly JsonValue[]) {
		this.values = values;
	}

	get count(): number {
		return this.values.length;
	}

	/** The number of parameters must lie between the bounds, else the caller gets the help text. */
	between(least: number, most: number): this {
		if (this.count < least || this.count > most) throw new UsageError();
		return this;
	}

	has(index: number): boolean {
		return index < this.count;
	}

	at(index: number): JsonValue | undefined {
		return this.values[index];
	}

	string(index: number): string {
		return asString(this.values[index]);
	}

	integer(index: number): number {
		return asInteger(this.values[index]);
	}

	bool(index: number): boolean {
		return asBool(this.values[index]);
	}
}
