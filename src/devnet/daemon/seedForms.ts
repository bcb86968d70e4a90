/**
 * The dialect of the interface document, for networks that speak only this: parameters that release 0.9.0
 * expects as text are JSON numbers, some integers are text, and results have the document's form.
 */
import { daemonSpelling, parseCoins } from '#lib/chain/amount.ts';
import { decodeResult, encodeResult, inBandError } from '#lib/rpc/codec.ts';
import { daemonMethods, isDaemonMethod, type DaemonMethod } from '#lib/rpc/daemon/index.ts';
import { RPC_MISC_ERROR } from '#lib/rpc/errorCodes.ts';
import { JsonNumber, type JsonValue } from '#lib/rpc/json.ts';
import type { Param } from '#lib/rpc/types.ts';
import { RpcError } from '../rpc/error.ts';
import { Params } from '../rpc/params.ts';

const expected = (what: string): RpcError =>
	new RpcError(RPC_MISC_ERROR, `JSON value is not ${what} as expected`);

/** A block hash may be given instead of a height. */
const isHash = (value: JsonValue): boolean =>
	typeof value === 'string' && /^[0-9a-fA-F]{64}$/.test(value);

/**
 * Formats coins so that release 0.9.0 parses exactly these satoshi; text that is not an amount is unchanged.
 */
function exactCoins(source: string): string {
	return /^\d{1,12}(?:\.\d{1,8})?$/.test(source) ? daemonSpelling(parseCoins(source)) : source;
}

function paramOf(param: Param | undefined, value: JsonValue): JsonValue {
	switch (param?.kind) {
		case 'numeric':
			if (param.name === 'hashOrHeight' && isHash(value)) return value;
			if (!(value instanceof JsonNumber)) throw expected('a number');
			return param.coins ? exactCoins(value.source) : value.source;
		case 'integer':
			if (!param.textInSeed) return value;
			if (typeof value !== 'string' || !/^\d+$/.test(value)) throw expected('a string');
			return new JsonNumber(String(Number(value)));
		default:
			return value;
	}
}

/**
 * Converts parameters from the document's form to that of the handlers. @throws RpcError for any other form
 */
export function fromSeedForms(method: string, params: Params): Params {
	if (!isDaemonMethod(method)) return params;
	const known: readonly Param[] = daemonMethods[method].params;
	return new Params(
		params.values.map((value, index) => paramOf(known[Math.min(index, known.length - 1)], value))
	);
}

/** Members of list items that release 0.9.0 returns and the document does not have. */
const UNDOCUMENTED: Partial<Record<DaemonMethod, { list: string | null; member: string }>> = {
	getimports: { list: 'imports', member: 'address' },
	getwalletburntransactions: { list: null, member: 'inMempool' }
};

type JsonObject = { readonly [name: string]: JsonValue };

const without = (records: JsonValue | undefined, member: string): JsonValue =>
	(records as readonly JsonObject[]).map(({ [member]: _, ...rest }) => rest);

/** Removes members from a result that the document does not have. */
function documented(method: DaemonMethod, result: JsonValue): JsonValue {
	const extra = UNDOCUMENTED[method];
	if (!extra) return result;
	const { list, member } = extra;
	if (list === null) return without(result, member);
	const object = result as JsonObject;
	return { ...object, [list]: without(object[list], member) };
}

/** Converts a result, including members that only the real daemon or only the document has. */
function spelled(method: DaemonMethod, params: Params, result: JsonValue): JsonValue {
	if (method === 'getinfo') {
		const { KMDversion: _, ...rest } = result as { [name: string]: JsonValue };
		return rest;
	}
	if (method === 'decoderawtransaction') {
		const size = new JsonNumber(String(params.string(0).length / 2));
		const { txid = null, ...rest } = result as { [name: string]: JsonValue };
		return { txid, size, ...rest };
	}
	return documented(method, encodeResult(method, decodeResult(method, result, 'komodod'), 'seed'));
}

/** Converts a handler's result to the document's form; a failure reported in a result is unchanged. */
export function toSeedForms(method: string, params: Params, result: JsonValue): JsonValue {
	if (!isDaemonMethod(method)) return result;
	return inBandError(daemonMethods[method], result) === null
		? spelled(method, params, result)
		: result;
}
