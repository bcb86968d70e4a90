import { isJsonObject, type JsonValue } from '#lib/rpc/json.ts';

/** A member that the node leaves out of the results of a method, or replaces. */
export interface Alteration {
	method: string;
	/** Names from the top of the result; each element of a list is reached by one name, whatever it is. */
	path: readonly string[];
	/** What stands in its place; undefined leaves it out. */
	value: JsonValue | undefined;
}

/** Returns the value with a member left out or replaced, at every place where its path leads. */
function altered(
	value: JsonValue,
	[name, ...deeper]: readonly string[],
	to: JsonValue | undefined
): JsonValue {
	if (name === undefined) return value;
	if (Array.isArray(value)) {
		return (value as readonly JsonValue[]).map((one) => altered(one, deeper, to));
	}
	if (!isJsonObject(value)) return value;
	return Object.fromEntries(
		Object.entries(value).flatMap(([key, inner]) => {
			if (key !== name) return [[key, inner]];
			if (deeper.length > 0) return [[key, altered(inner, deeper, to)]];
			return to === undefined ? [] : [[key, to]];
		})
	);
}

/** Returns the body of a response, or of a batch of them, with the results of one method altered. */
export function alteredBody(request: JsonValue, response: JsonValue, by: Alteration): JsonValue {
	if (Array.isArray(request) && Array.isArray(response)) {
		const requests = request as readonly JsonValue[];
		return (response as readonly JsonValue[]).map((one, at) =>
			alteredBody(requests[at] ?? null, one, by)
		);
	}
	if (!isJsonObject(request) || request['method'] !== by.method) return response;
	if (!isJsonObject(response) || Object.hasOwn(response, 'error')) return response;
	return Object.hasOwn(response, 'mmrpc')
		? { ...response, result: altered(response['result'] ?? null, by.path, by.value) }
		: altered(response, by.path, by.value);
}
