/** Between native values and the wire of a trading node, in either dialect. */
import type { z } from 'zod';
import { isJsonObject, type JsonValue } from '../json.ts';
import { isRpcError, RpcError } from '../rpcError.ts';
import { mismatchPlace } from '../validationMismatch.ts';
import { FIRST_FAULT } from '../schemaParts.ts';
import { olderForms } from './documented.ts';
import { mended } from './tolerant.ts';
import {
	kdfDefinition,
	type KdfDialect,
	type KdfMethod,
	type KdfParams,
	type KdfResult
} from './index.ts';
import { unknownStatus } from './tasks.ts';

/** The issue that lies deepest: of a choice of shapes, that of the shape that came nearest. */
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
	return new RpcError('kdf-params.invalid', { place: path.map(String).join('.'), fault: message });
}

/**
 * The parameters as they go to a node of this dialect; null when they are left out.
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

/**
 * Parameters off the wire. Without a dialect either spelling is taken, and a mixture of both.
 * @param wire for a method of the older form, the members of the body without `userpass` and `method`
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
	return decoded.data as KdfParams<M>;
}

/**
 * The strict native result. A released node is held to its form and those of older builds; the formats of the
 * interface document's values are its own.
 * @param wire the `result` of a version 2 answer, the whole body of one of the older form
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

/** A result that was read, and the places that had to be mended; none when it fits the registry. */
interface KdfResultRead<M extends KdfMethod> {
	result: KdfResult<M>;
	mended: readonly string[];
}

/**
 * A result as it can be read: strictly, else with what an unknown build does differently mended.
 * @param mayMend mending reads the whole of it again and again
 * @throws {RpcError} `validation-mismatch` when it is another form altogether
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
		for (const form of [own, ...older, other]) {
			const read = mended(form, wire);
			if (read !== null) return { result: read.value as KdfResult<M>, mended: read.places };
		}
		const status = name.endsWith('::status') ? unknownStatus(wire) : null;
		if (status !== null) return { result: status as KdfResult<M>, mended: ['details'] };
		throw error;
	}
}

/** The parameters that stand in a body of the older form. */
export function legacyParams(body: { readonly [name: string]: JsonValue }): JsonValue {
	const { userpass: _userpass, method: _method, mmrpc: _mmrpc, ...params } = body;
	return isJsonObject(params) ? params : {};
}
