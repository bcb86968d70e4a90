/** Responses without one member: lists the members, and compares what is read without each. */
import { inspect } from 'node:util';
import { decodeResult } from '#lib/rpc/codec.ts';
import type { DaemonMethod } from '#lib/rpc/daemon/index.ts';
import { isJsonObject, type JsonValue } from '#lib/rpc/json.ts';
import { decodeTolerantly } from '#lib/rpc/daemon/tolerant.ts';
import { leftOutOf } from '#lib/rpc/tolerant.ts';
import { isRpcError } from '#lib/rpc/rpcError.ts';

/** The members of a value, by their names from the top; those of a list's entries are combined. */
export function membersOf(value: JsonValue, path: readonly string[] = []): string[] {
	if (Array.isArray(value)) return value.flatMap((one) => membersOf(one, [...path, '*']));
	if (!isJsonObject(value)) return [];
	return Object.entries(value).flatMap(([name, inner]) => [
		[...path, name].join('.'),
		...membersOf(inner, [...path, name])
	]);
}

const decoded = (method: DaemonMethod, result: JsonValue): string => {
	try {
		return inspect(decodeResult(method, result), { depth: null });
	} catch (error) {
		if (!isRpcError(error, 'validation-mismatch')) throw error;
		const native = decodeTolerantly(method, result);
		if (native === null) return error.params.place;
		const left = leftOutOf(native).find(({ fault }) => fault !== null);
		if (left !== undefined) return `${[...left.path, left.name].join('.')} fails when it is used`;
		return inspect(native, { depth: null });
	}
};

/**
 * Effect of a missing member on the decoded value: `none`, `other`, or the error of a response that cannot be read,
 * or not once the member is used.
 */
export function effectOf(method: DaemonMethod, result: JsonValue, path: readonly string[]): string {
	const less = without(result, path);
	const [before, after] = [decoded(method, result), decoded(method, less)];
	if (before === after) return 'none';
	return after.startsWith('{') || after.startsWith('[') ? 'other' : after;
}

/** The value without a member, at every place where its path leads. */
export function without(value: JsonValue, [name, ...deeper]: readonly string[]): JsonValue {
	if (name === undefined) return value;
	if (Array.isArray(value)) return value.map((one) => without(one, deeper));
	if (!isJsonObject(value)) return value;
	return Object.fromEntries(
		Object.entries(value).flatMap(([key, inner]) => {
			if (key !== name) return [[key, inner]];
			return deeper.length === 0 ? [] : [[key, without(inner, deeper)]];
		})
	);
}
