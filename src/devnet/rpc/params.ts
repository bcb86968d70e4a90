import { RPC_MISC_ERROR, RPC_TYPE_ERROR } from '#lib/rpc/errorCodes.ts';
import { JsonNumber, type JsonValue } from '#lib/rpc/json.ts';
import { RpcError, UsageError } from './error.ts';

const INT32_MAX = 2147483647n;

const kindOf = (value: JsonValue | undefined): string => {
	if (value === undefined || value === null) return 'null';
	if (Array.isArray(value)) return 'array';
	if (value instanceof JsonNumber) return 'number';
	if (typeof value === 'boolean') return 'bool';
	if (typeof value === 'string') return 'string';
	return 'object';
};

/** Reads a JSON string like the daemon: any other type is error -1. */
export const asString = (value: JsonValue | undefined): string => {
	if (typeof value !== 'string') {
		throw new RpcError(RPC_MISC_ERROR, 'JSON value is not a string as expected');
	}
	return value;
};

/** Reads a 32-bit JSON integer like the daemon; a fraction or exponent counts as out of range. */
export const asInteger = (value: JsonValue | undefined): number => {
	if (!(value instanceof JsonNumber)) {
		throw new RpcError(RPC_MISC_ERROR, 'JSON value is not an integer as expected');
	}
	if (!/^-?\d+$/.test(value.source))
		throw new RpcError(RPC_MISC_ERROR, 'JSON integer out of range');
	const number = BigInt(value.source);
	if (number > INT32_MAX || number < -INT32_MAX - 1n) {
		throw new RpcError(RPC_MISC_ERROR, 'JSON integer out of range');
	}
	return Number(number);
};

/** Reads a JSON boolean like the daemon. */
const asBool = (value: JsonValue | undefined): boolean => {
	if (typeof value !== 'boolean') {
		throw new RpcError(RPC_MISC_ERROR, 'JSON value is not a boolean as expected');
	}
	return value;
};

/** Reads a JSON array like the daemon. */
export const asArray = (value: JsonValue | undefined): readonly JsonValue[] => {
	if (!Array.isArray(value)) {
		throw new RpcError(RPC_MISC_ERROR, 'JSON value is not an array as expected');
	}
	return value;
};

/** Reads a JSON object; any other type is error -1. */
export const asObject = (value: JsonValue | undefined): { readonly [key: string]: JsonValue } => {
	if (kindOf(value) !== 'object') {
		throw new RpcError(RPC_MISC_ERROR, 'JSON value is not an object as expected');
	}
	return value as { readonly [key: string]: JsonValue };
};

/** Returns an own member of an object; ignores members inherited from Object.prototype. */
export const member = (
	object: { readonly [key: string]: JsonValue },
	name: string
): JsonValue | undefined => (Object.hasOwn(object, name) ? object[name] : undefined);

/** Explicit type check of some methods: error -3 with both type names. */
export const expectKind = (value: JsonValue | undefined, kind: string): void => {
	const got = kindOf(value);
	if (got !== kind) throw new RpcError(RPC_TYPE_ERROR, `Expected type ${kind}, got ${got}`);
};

/**
 * The positional parameters of one call. Komodo daemon 0.9.0 is strict about the JSON type of each parameter
 * and lenient about the contents of strings.
 */
export class Params {
	readonly values: readonly JsonValue[];

	constructor(values: readonly JsonValue[]) {
		this.values = values;
	}

	get count(): number {
		return this.values.length;
	}

	/** Checks the number of parameters; outside of the bounds the caller gets the help text. */
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
