/**
 * JSON whose numbers keep their digits. `JSON.parse('200000000.00000001')` loses a satoshi; here every number
 * becomes a {@link JsonNumber} with its source text, which is written back unchanged.
 */
import { isRpcError, JSON_ERRORS, RpcError } from './rpcError.ts';

/** A number with its original digits. */
export class JsonNumber {
	readonly source: string;

	/** @throws {RangeError} when the text is not a JSON number */
	constructor(source: string) {
		if (!isJsonNumber(source)) throw new RangeError('This is not a JSON number.');
		this.source = source;
	}

	/** Converts to the nearest double: for difficulties and times, never for amounts. */
	toNumber(): number {
		return Number(this.source);
	}
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;

/** Whether a text is a number in JSON. */
export const isJsonNumber = (text: string): boolean => NUMBER.test(text);

export type JsonValue =
	| null
	| boolean
	| string
	| JsonNumber
	| readonly JsonValue[]
	| { readonly [name: string]: JsonValue };

interface JsonLimits {
	/**
	 * Maximum nesting; 1 is a flat array or object. Null skips the check because the caller already made it.
	 */
	maxDepth?: number | null;
	/** Maximum length in UTF-16 code units. */
	maxLength?: number;
}

const DEFAULT_DEPTH = 64;
const DEFAULT_LENGTH = 128 * 1024 * 1024;

/** Returns the deepest nesting of a text without building values; strings are skipped. */
function depthOf(text: string): number {
	let depth = 0;
	let deepest = 0;
	let inString = false;
	for (let i = 0; i < text.length; i++) {
		const code = text.charCodeAt(i);
		if (inString) {
			if (code === 92) i += 1;
			else if (code === 34) inString = false;
		} else if (code === 34) inString = true;
		else if (code === 91 || code === 123) deepest = Math.max(deepest, ++depth);
		else if (code === 93 || code === 125) depth -= 1;
	}
	return deepest;
}

/** Reviver with the third argument of ECMAScript: for a primitive, its source text. */
type SourceReviver = (name: string, value: unknown, context: { source?: string }) => unknown;
const parseWithSource = JSON.parse as (text: string, reviver: SourceReviver) => unknown;

/**
 * Parses JSON. Of duplicate members the last one counts, as in `JSON.parse`. (Daemons never write duplicates;
 * requests of callers are split by the gateway, where the first one counts, as in the daemon.) A member named
 * `__proto__` is an ordinary member.
 * @throws {RpcError} of {@link JSON_ERRORS}
 */
export function parseJson(text: string, limits: JsonLimits = {}): JsonValue {
	if (text.length > (limits.maxLength ?? DEFAULT_LENGTH)) {
		throw new RpcError('json.too-large', {});
	}
	const { maxDepth = DEFAULT_DEPTH } = limits;
	if (maxDepth !== null && depthOf(text) > maxDepth) {
		throw new RpcError('json.too-deep', {});
	}
	try {
		return parseWithSource(text, (_name, value, context) =>
			typeof value === 'number' ? new JsonNumber(context.source ?? String(value)) : value
		) as JsonValue;
	} catch (cause) {
		throw new RpcError('json.invalid', {}, cause);
	}
}

/** Parses JSON; undefined when the text is invalid or exceeds the limits. */
export function readableJson(text: string, limits?: JsonLimits): JsonValue | undefined {
	try {
		return parseJson(text, limits);
	} catch (error) {
		if (isRpcError(error, ...JSON_ERRORS)) return undefined;
		throw error;
	}
}

interface RawJson {
	rawJSON(text: string): unknown;
}

/** Serializes to JSON. Numbers keep their original digits; bigint is written as an integer. */
export function stringifyJson(value: unknown): string {
	const { rawJSON } = JSON as unknown as RawJson;
	return JSON.stringify(value, (_name, inner: unknown) => {
		if (inner instanceof JsonNumber) return rawJSON(inner.source);
		if (typeof inner === 'bigint') return rawJSON(inner.toString());
		return inner;
	});
}

/** True for a JSON object: not null, an array or a {@link JsonNumber}. */
export function isJsonObject(
	value: JsonValue | undefined
): value is { readonly [name: string]: JsonValue } {
	return (
		typeof value === 'object' &&
		value !== null &&
		!Array.isArray(value) &&
		!(value instanceof JsonNumber)
	);
}
