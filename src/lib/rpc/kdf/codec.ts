/** Converts between native values and the wire format of a trading node, in either dialect. */
import type { z } from 'zod';
import { isJsonObject, type JsonValue } from '../json.ts';
import { isRpcError, RpcError } from '../rpcError.ts';
import { bounded, mismatchPlace } from '../validationMismatch.ts';
import { FIRST_FAULT } from '../schemaParts.ts';
import { olderForms } from './documented.ts';
import { leftOutOf, reported } from '../tolerant.ts';
import { decodedInPart, mended } from './tolerant.ts';
import {
	kdfDefinition,
	type KdfDialect,
	type KdfMethod,
	type KdfParams,
	type KdfResult
} from './index.ts';
import { unknownStatus } from './tasks.ts';

/** Finds the issue with the longest path: for a union, that of the option that matched furthest. */
function deepest(
	issues: readonly z.core.$ZodIssue[],
	path: readonly PropertyKey[] = []
): {
	path: PropertyKey[];
	message: string;
} {
	let best: { path: PropertyKey[]; message: string } = { path: [...path], message: 'does not fit' };
	let depth = -1;
	for (const issue of issues) {
		const at = [...path, ...issue.path];
		const found =
			issue.code === 'invalid_union' && issue.errors.length > 0
				? issue.errors
						.map((inner) => deepest(inner, at))
						.reduce((a, b) => (b.path.length > a.path.length ? b : a))
				: { path: at, message: issue.message };
		if (found.path.length > depth) {
			best = found;
			depth = found.path.length;
		}
	}
	return best;
}

function mismatchOf(error: z.ZodError): RpcError<'kdf-params.invalid'> {
	const { path, message } = deepest(error.issues);
	const place = bounded(path.map(String).join('.'));
	return new RpcError('kdf-params.invalid', { place, fault: bounded(message) });
}

/**
 * Encodes parameters for a node of this dialect; null when `params` is to be omitted.
 * @throws {RpcError} `kdf-params.invalid`
 */
export function encodeKdfParams<M extends KdfMethod>(
	method: M,
	native: KdfParams<M>,
	dialect: KdfDialect = 'kdf'
): JsonValue | null {
	const { params, paramsForm } = kdfDefinition(method);
	const encoded = params[dialect].safeEncode(native);
	if (!encoded.success) throw mismatchOf(encoded.error as z.ZodError);
	if (paramsForm === 'none' && dialect === 'kdf') return null;
	return encoded.data as JsonValue;
}

/** Longest ticker that a call may name: events and limits store it. Those of the coins file are shorter. */
const LONGEST_TICKER = 64;
const TICKER = new RegExp(`^\\P{Cc}{1,${LONGEST_TICKER}}$`, 'u');

/** @throws {RpcError} `kdf-params.invalid` when a call names a coin that no coins file could have */
function refuseStrangeCoin(native: unknown): void {
	const given = (native ?? {}) as Readonly<Record<string, unknown>>;
	for (const place of ['ticker', 'coin']) {
		const ticker = given[place];
		if (typeof ticker !== 'string' || TICKER.test(ticker)) continue;
		const fault = `expected a ticker of at most ${LONGEST_TICKER} characters, without control characters`;
		throw new RpcError('kdf-params.invalid', { place, fault });
	}
}

/**
 * Decodes parameters. Without a dialect either format is accepted, and a mixture of both.
 * @param wire for a legacy method, the members of the body without `userpass` and `method`
 * @throws {RpcError} `kdf-params.invalid`
 */
export function decodeKdfParams<M extends KdfMethod>(
	method: M,
	wire: JsonValue | undefined,
	dialect?: KdfDialect
): KdfParams<M> {
	const { params, paramsForm } = kdfDefinition(method);
	const given = (wire === undefined || wire === null) && paramsForm === 'none' ? {} : wire;
	const decoded = params[dialect ?? 'any'].safeParse(given ?? null);
	if (!decoded.success) throw mismatchOf(decoded.error as z.ZodError);
	refuseStrangeCoin(decoded.data);
	return decoded.data as KdfParams<M>;
}

/**
 * Decodes a result strictly. A released node must match its own form or that of an older build; for a node of
 * the interface document, that document's form is tried first.
 * @param wire the `result` of a version 2 response, or the whole body of a legacy one
 * @throws {RpcError} `validation-mismatch`
 */
export function decodeKdfResult<M extends KdfMethod>(
	method: M,
	wire: JsonValue,
	dialect: KdfDialect = 'kdf'
): KdfResult<M> {
	const { result } = kdfDefinition(method);
	let first: z.ZodError | null = null;
	const older = Object.hasOwn(olderForms, method) ? olderForms[method]! : [];
	const forms = dialect === 'kdf' ? [result.kdf, ...older] : [result.seed, result.kdf];
	for (const form of forms) {
		const decoded = form.safeParse(wire, FIRST_FAULT);
		if (decoded.success) return decoded.data as KdfResult<M>;
		first ??= decoded.error as z.ZodError;
	}
	throw new RpcError('validation-mismatch', () => {
		const { path, message } = deepest(first!.issues);
		return { method, place: mismatchPlace(path, message) };
	});
}

/** A decoded result and the places that had to be repaired or left out; none when it matches the registry. */
interface KdfResultRead<M extends KdfMethod> {
	result: KdfResult<M>;
	mended: readonly string[];
}

/** Whether a status is that of a finished task whose result could be read, at least in part. */
function isDone(read: unknown): boolean {
	const status = read as { status?: unknown; details?: unknown };
	return reported(status, 'status') === 'Ok' && reported(status, 'details') !== null;
}

/**
 * Decodes a result strictly, or else after repairing the differences of an unknown build, or else without the members
 * that are missing or cannot be read.
 * @param mayMend whether to try repairs, which parse the whole result repeatedly
 * @throws {RpcError} `validation-mismatch` when the result cannot be repaired
 */
export function readKdfResult<M extends KdfMethod>(
	method: M,
	wire: JsonValue,
	dialect: KdfDialect = 'kdf',
	mayMend = true
): KdfResultRead<M> {
	try {
		return { result: decodeKdfResult(method, wire, dialect), mended: [] };
	} catch (error) {
		if (!isRpcError(error, 'validation-mismatch') || !mayMend) throw error;
		const { name, result } = kdfDefinition(method);
		const older = Object.hasOwn(olderForms, method) ? olderForms[method]! : [];
		const [own, other] = dialect === 'kdf' ? [result.kdf, result.seed] : [result.seed, result.kdf];
		const forms = [own, ...older, other];
		for (const form of forms) {
			const read = mended(form, wire);
			if (read !== null) return { result: read.value as KdfResult<M>, mended: read.places };
		}
		const isStatus = name.endsWith('::status');
		const inPart = decodedInPart(method, forms, wire) as KdfResult<M> | null;
		if (inPart !== null && (!isStatus || isDone(inPart))) {
			const places = leftOutOf(inPart).map((one) => [...one.path, one.name].join('.'));
			// None where members contradict each other.
			return { result: inPart, mended: places.length === 0 ? ['result'] : places };
		}
		const status = isStatus ? unknownStatus(wire) : null;
		if (status !== null) return { result: status as KdfResult<M>, mended: ['details'] };
		throw error;
	}
}

/** Returns the parameters in a legacy body. */
export function legacyParams(body: { readonly [name: string]: JsonValue }): JsonValue {
	const { userpass: _userpass, method: _method, mmrpc: _mmrpc, ...params } = body;
	return isJsonObject(params) ? params : {};
}
