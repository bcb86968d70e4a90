/**
 * The envelopes of a trading node. Version 2: a request with only `mmrpc`, `userpass`, `method`, `params` and
 * `id` at the top level, and a response with `result` or a typed error. Legacy: a flat object in both
 * directions, and `{"error": text}` for a failure.
 */
import { z } from 'zod';
import { isJsonObject, JsonNumber, stringifyJson, type JsonValue } from '../json.ts';
import { list, object, text } from '../types.ts';
import type { KdfEnvelope } from './method.ts';
import { count, json } from './types.ts';

/** Members allowed at the top level of a version 2 request. */
export const V2_MEMBERS: readonly string[] = ['mmrpc', 'userpass', 'method', 'params', 'id'];
export const MMRPC = '2.0';

const id = z.nullable(count);
const mmrpc = z.literal(MMRPC);

/** A successful version 2 response. */
export const v2Success = object({ mmrpc, result: json, id });
/** A version 2 error; `error_data` is absent for types without data. */
export const v2Error = object({
	mmrpc,
	error: text,
	error_path: text,
	error_trace: text,
	error_type: z.string().regex(/^[A-Z][A-Za-z0-9]*$/, 'expected an error type'),
	error_data: json.optional(),
	id
});

const orders = object({ matching: list(text), cancelled: list(text) });
/** Legacy errors; `disable_coin` adds the orders and swaps that prevent it. */
export const legacyErrors = [
	object({ error: text }),
	object({ error: text, orders, active_swaps: list(text) }),
	object({ error: text, orders }),
	object({ error: text, swaps: list(text) })
] as const;

/** An error returned by the node. */
export interface KdfRefusal {
	/** Error type; null in the legacy format. */
	type: string | null;
	/** The node's text, without the source locations that the legacy format puts before it. */
	message: string;
	/** Undefined when the type has no data. */
	data: JsonValue | undefined;
	/** Source location of the error; undefined when not given. */
	place?: KdfPlace;
}

/** Location in the node's source where an error occurred, for operators of the node. */
export interface KdfPlace {
	path: string;
	trace: string;
}

export type KdfAnswer =
	{ kind: 'result'; result: JsonValue } | { kind: 'error'; error: KdfRefusal };

const TRACE = /^(?:[A-Za-z0-9_]+:\d+\] |RPC call failed: )+/;

/** Removes leading source locations such as `rpc:195] RPC call failed: legacy:140] `. */
export const withoutTrace = (message: string): string => message.replace(TRACE, '');

/**
 * Reads a response body in either envelope; null when it is not a response of a node.
 * @param envelope envelope of the called method; a legacy call may also be answered with a version 2 error
 */
export function readKdfAnswer(body: JsonValue, envelope: KdfEnvelope): KdfAnswer | null {
	if (!isJsonObject(body)) return null;
	const inV2 = Object.hasOwn(body, 'mmrpc');
	const error = errorIn(body);
	if (error !== null) return { kind: 'error', error };
	if (inV2 || (envelope === 'v2' && Object.hasOwn(body, 'result'))) {
		return Object.hasOwn(body, 'result')
			? { kind: 'result', result: body['result'] ?? null }
			: null;
	}
	return envelope === 'legacy' ? { kind: 'result', result: body } : null;
}

/**
 * Reads the source location, which version 2 has in separate members and the legacy format before its text.
 */
function placeIn(body: { readonly [name: string]: JsonValue }): { place?: KdfPlace } {
	const { error, error_path: path, error_trace: trace } = body;
	if (typeof trace === 'string') {
		return { place: { path: typeof path === 'string' ? path : '', trace } };
	}
	const before = typeof error === 'string' ? (TRACE.exec(error)?.[0] ?? '') : '';
	return before === '' ? {} : { place: { path: '', trace: before.trim() } };
}

/**
 * Reads the error of a body in any format. A body with an error is never treated as a result, even if it has
 * extra or missing members.
 */
function errorIn(body: { readonly [name: string]: JsonValue }): KdfRefusal | null {
	const { error = null, error_type: type, error_data: data } = body;
	const named = typeof type === 'string' ? type : null;
	if (error === null && named === null) return null;
	if (typeof error === 'string') {
		const message = named === null ? withoutTrace(error) : error;
		return { type: named, message, data, ...placeIn(body) };
	}
	// An error object as in JSON-RPC.
	const { message } = isJsonObject(error) ? error : {};
	return {
		type: named,
		message: typeof message === 'string' ? message : (named ?? ''),
		data,
		...placeIn(body)
	};
}

/** Reasons to refuse a call that concern the password or the caller's address. */
type PasswordRefusal = 'wrong' | 'missing' | 'banned' | 'elsewhere';

/**
 * These match the whole message: similar text of a coin's server within another message says nothing about
 * the node.
 */
const BANNED = /^(?:Selected method is not allowed: )?Your ip is banned\.?$/i;
const LOCAL_ONLY =
	/^(?:Selected method is not allowed: )?Selected method can (?:only be called from localhost|be called from localhost only)[.!]?$/;

/** Returns why the node refused the password or the caller's address; null for all other errors. */
export function passwordRefusal({ type, message }: KdfRefusal): PasswordRefusal | null {
	if (type === 'UserpassIsInvalid' || /^Userpass is invalid!/.test(message)) return 'wrong';
	if (type === 'Banned' || BANNED.test(message)) return 'banned';
	if (type === 'UserpassIsNotSet' || message === 'Userpass is not set!') return 'missing';
	if (type === 'LocalHostOnly' || LOCAL_ONLY.test(message)) {
		return 'elsewhere';
	}
	return null;
}

interface KdfRequest {
	name: string;
	envelope: KdfEnvelope;
	/** Parameters in wire format; null omits `params`. */
	params: JsonValue | null;
	/** Null omits the password, for methods that need none. */
	userpass: string | null;
	/** Version 2 only; null omits it. */
	id: bigint | null;
}

/** Serializes the body of one call. */
export function kdfRequestText({ name, envelope, params, userpass, id }: KdfRequest): string {
	const login = userpass === null ? {} : { userpass };
	if (envelope === 'legacy') {
		return stringifyJson({
			...login,
			method: name,
			...(isJsonObject(params ?? {}) ? (params as object) : {})
		});
	}
	return stringifyJson({
		mmrpc: MMRPC,
		...login,
		method: name,
		...(params === null ? {} : { params }),
		...(id === null ? {} : { id: new JsonNumber(String(id)) })
	});
}
