/** Converts between native values and the wire format of a daemon, in either dialect. */
import {
	daemonMethods,
	type DaemonMethod,
	type DaemonParams,
	type DaemonResult
} from './daemon/index.ts';
import { isJsonObject, JsonNumber, type JsonValue } from './json.ts';
import type { Method } from './method.ts';
import { RpcError, type RpcErrorParams } from './rpcError.ts';
import { mismatchWords } from './validationMismatch.ts';
import { FIRST_FAULT } from './schemaParts.ts';
import type { Param } from './types.ts';

/** `komodod`: as release 0.9.0 formats values. `seed`: as the interface document does. */
export type Dialect = 'komodod' | 'seed';

const definitionOf = (method: DaemonMethod): Method => daemonMethods[method] as unknown as Method;

/** Whether a value is encoded unchanged, whatever the kind of the parameter. */
const isKept = ({ anything, orNull }: Param, value: unknown): boolean =>
	(anything === true && typeof value !== 'number') || (orNull === true && value === null);

function encodeParam(param: Param, value: unknown, dialect: Dialect): JsonValue {
	if (isKept(param, value)) return value as JsonValue;
	switch (param.kind) {
		case 'numeric':
			return dialect === 'seed' && isNumberText(value) ? new JsonNumber(value) : (value as string);
		case 'level':
			return new JsonNumber(String(value));
		case 'integer':
			return dialect === 'seed' && param.textInSeed ? String(value) : new JsonNumber(String(value));
		default:
			return value as JsonValue;
	}
}

/**
 * Tells whether a daemon of this dialect expects the parameter as a string (true) or a number (false); null
 * when both dialects use the same form.
 */
export function wantsText(method: DaemonMethod, index: number, dialect: Dialect): boolean | null {
	const { params } = definitionOf(method);
	const param = params.length === 0 ? undefined : paramAt(params, index);
	switch (param?.kind) {
		case 'numeric':
			return dialect === 'komodod';
		case 'integer':
			return dialect === 'seed' && param.textInSeed === true;
		case 'level':
			return false;
		default:
			return null;
	}
}

function checkTxid(param: Param, value: unknown, index: number): void {
	if (param.txid && !(typeof value === 'string' && /^[0-9a-fA-F]{64}$/.test(value))) {
		throw new RpcError('params.invalid', { index, name: param.name, expected: 'txid' });
	}
}

const isNumberText = (value: unknown): value is string =>
	typeof value === 'string' && /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(value);

function decodeParam(param: Param, wire: JsonValue, index: number): unknown {
	const mismatch = (expected: RpcErrorParams['params.invalid']['expected']): RpcError =>
		new RpcError('params.invalid', { index, name: param.name, expected });
	if (isKept(param, wire)) return wire;
	switch (param.kind) {
		case 'string':
			if (typeof wire !== 'string') throw mismatch('text');
			checkTxid(param, wire, index);
			return wire;
		case 'numeric':
			if (typeof wire === 'string') return wire;
			// The daemon would parse 1.5 and 1e3 as the integer 1, so such numbers are refused instead of
			// becoming text.
			if (wire instanceof JsonNumber && (param.coins || /^-?\d+$/.test(wire.source))) {
				return wire.source;
			}
			throw mismatch(param.coins ? 'number' : 'integer');
		case 'level':
			if (typeof wire === 'boolean') return wire ? 1 : 0;
			if (wire instanceof JsonNumber && /^\d{1,3}$/.test(wire.source)) return wire.toNumber();
			throw mismatch('integer');
		case 'integer': {
			const source = wire instanceof JsonNumber ? wire.source : wire;
			if (typeof source === 'string' && /^-?\d{1,15}$/.test(source)) return Number(source);
			throw mismatch('integer');
		}
		case 'bool':
			if (typeof wire === 'boolean') return wire;
			throw mismatch('boolean');
		case 'json':
			return wire;
	}
}

/**
 * Encodes parameters for a daemon of this dialect. Trailing undefined ones are omitted.
 * @throws {RpcError} `params` when there are too few or too many
 */
export function encodeParams<M extends DaemonMethod>(
	method: M,
	native: DaemonParams<M>,
	dialect: Dialect = 'komodod'
): JsonValue[] {
	const { params } = definitionOf(method);
	const given = native as readonly unknown[];
	const end = given.findLastIndex((value) => value !== undefined) + 1;
	checkCount(params, end);
	return given.slice(0, end).map((value, i) => {
		if (value === undefined) throw new RpcError('params.missing', { index: i });
		checkTxid(paramAt(params, i), value, i);
		return encodeParam(paramAt(params, i), value, dialect);
	});
}

/**
 * Decodes parameters in either dialect.
 * @throws {RpcError} `params`
 */
export function decodeParams<M extends DaemonMethod>(
	method: M,
	wire: readonly JsonValue[] | readonly unknown[]
): DaemonParams<M> {
	const { params } = definitionOf(method);
	checkCount(params, wire.length);
	return wire.map((value, i) =>
		decodeParam(paramAt(params, i), value as JsonValue, i)
	) as unknown as DaemonParams<M>;
}

/** Returns the definition of a parameter; a repeating last one also applies to all that follow. */
const paramAt = (params: readonly Param[], index: number): Param =>
	params[Math.min(index, params.length - 1)]!;

function checkCount(params: readonly Param[], given: number): void {
	const least = params.filter((param) => !param.optional).length;
	if (given < least) {
		throw new RpcError('params.too-few', { takes: least, given });
	}
	if (given > params.length && !params.at(-1)?.repeats) {
		throw new RpcError('params.too-many', { takes: params.length, given });
	}
}

/**
 * Returns the daemon's error text when a result reports a failure instead of a JSON-RPC error; otherwise
 * null.
 */
export function inBandError(definition: Pick<Method, 'fails'>, wire: JsonValue): string | null {
	const { fails } = definition;
	if (fails.includes('minus-one') && wire instanceof JsonNumber && wire.source === '-1') {
		return wire.source;
	}
	if (!isJsonObject(wire)) return null;
	const { result, error } = wire;
	if (fails.includes('soft') && result === 'error' && typeof error === 'string') return error;
	if (fails.includes('member') && typeof error === 'string') return error;
	return null;
}

/**
 * Decodes a result strictly. The daemon's own dialect is tried first, then the other.
 * @throws {RpcError} `in-band-error` when the result itself reports a failure
 * @throws {RpcError} `validation-mismatch` when the response does not match the method's schema
 */
export function decodeResult<M extends DaemonMethod>(
	method: M,
	wire: JsonValue,
	dialect: Dialect = 'komodod'
): DaemonResult<M> {
	const definition = definitionOf(method);
	const failure = inBandError(definition, wire);
	if (failure !== null) throw new RpcError('in-band-error', { text: failure });
	const { result, seedResult } = definition;
	const schemas = seedResult === undefined ? [result] : [result, seedResult];
	if (dialect === 'seed') schemas.reverse();
	for (const schema of schemas) {
		const parsed = schema.safeParse(wire, FIRST_FAULT);
		if (parsed.success) return parsed.data as DaemonResult<M>;
	}
	// The message is computed only when read: most mismatching responses are then decoded tolerantly.
	throw new RpcError('validation-mismatch', () => ({
		method,
		place: mismatchWords(schemas[0]!, wire)
	}));
}

/** Encodes a native result as a daemon of this dialect writes it. */
export function encodeResult<M extends DaemonMethod>(
	method: M,
	native: DaemonResult<M>,
	dialect: Dialect = 'komodod'
): JsonValue {
	const { result, seedResult } = definitionOf(method);
	const schema = dialect === 'seed' ? (seedResult ?? result) : result;
	return schema.encode(native) as JsonValue;
}
