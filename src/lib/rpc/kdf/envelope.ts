/**
 * The envelopes of a trading node. Version 2: nothing but `mmrpc`, `userpass`, `method`, `params` and `id`
 * at the top of a request, `result` or an error with its type in the answer. The older form: a flat object
 * both ways, and `{"error": text}` for a failure.
 */
import { z } from 'zod';
import { isJsonObject, JsonNumber, stringifyJson, type JsonValue } from '../json.ts';
import { list, object, text } from '../types.ts';
import type { KdfEnvelope } from './method.ts';
import { count, json } from './types.ts';

/** What may stand at the top of a version 2 request. */
export const V2_MEMBERS: readonly string[] = ['mmrpc', 'userpass', 'method', 'params', 'id'];
export const MMRPC = '2.0';

const id = z.nullable(count);
const mmrpc = z.literal(MMRPC);

/** Version 2 success. */
export const v2Success = object({ mmrpc, result: json, id });
/** Version 2 error; `error_data` is absent where the type has none. */
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
/** An error of the older form; `disable_coin` tells what stands in the way. */
export const legacyErrors = [
	object({ error: text }),
	object({ error: text, orders, active_swaps: list(text) }),
	object({ error: text, orders }),
	object({ error: text, swaps: list(text) })
] as const;

/** A refusal of the node. */
export interface KdfRefusal {
	/** Null in the older form. */
	type: string | null;
	/** The node's text, without the places in its source that the older form puts before it. */
	message: string;
	/** Undefined where the type has no data. */
	data: JsonValue | undefined;
	/** Where in the node's source it happened; undefined where it does not say. */
	place?: KdfPlace;
}

/** Where in the node's source an error came from, for those who look after the node. */
export interface KdfPlace {
	path: string;
	trace: string;
}

export type KdfAnswer =
	{ kind: 'result'; result: JsonValue } | { kind: 'error'; error: KdfRefusal };

const TRACE = /^(?:[A-Za-z0-9_]+:\d+\] |RPC call failed: )+/;

/** The node's text without `rpc:195] RPC call failed: legacy:140] ` and the like. */
export const withoutTrace = (message: string): string => message.replace(TRACE, '');

/**
 * What a body says, in either envelope; null when it is no answer of a node.
 * @param envelope of the method that was called; a version 2 error may answer the older form, too
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

/** Places of a version 2 error stand in members of their own, those of the older form before its text. */
function placeIn(body: { readonly [name: string]: JsonValue }): { place?: KdfPlace } {
	const { error, error_path: path, error_trace: trace } = body;
	if (typeof trace === 'string') {
		return { place: { path: typeof path === 'string' ? path : '', trace } };
	}
	const before = typeof error === 'string' ? (TRACE.exec(error)?.[0] ?? '') : '';
	return before === '' ? {} : { place: { path: '', trace: before.trim() } };
}

/**
 * The error that a body tells, in whatever form: what tells it is enough, and further members, or missing
 * ones, make no result of it.
 */
function errorIn(body: { readonly [name: string]: JsonValue }): KdfRefusal | null {
	const { error = null, error_type: type, error_data: data } = body;
	const named = typeof type === 'string' ? type : null;
	if (error === null && named === null) return null;
	if (typeof error === 'string') {
		const message = named === null ? withoutTrace(error) : error;
		return { type: named, message, data, ...placeIn(body) };
	}
	// As JSON-RPC has it.
	const { message } = isJsonObject(error) ? error : {};
	return {
		type: named,
		message: typeof message === 'string' ? message : (named ?? ''),
		data,
		...placeIn(body)
	};
}

/** What a refusal says about the password. */
type PasswordRefusal = 'wrong' | 'missing' | 'banned' | 'elsewhere';

/** The whole of a message: what a coin's server says stands within others, and says nothing of the node. */
const BANNED = /^(?:Selected method is not allowed: )?Your ip is banned\.?$/i;
const LOCAL_ONLY =
	/^(?:Selected method is not allowed: )?Selected method can (?:only be called from localhost|be called from localhost only)[.!]?$/;

/** True meaning of a refusal that concerns the password or the caller's address; null for all others. */
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
	/** Wire parameters; null leaves `params` out. */
	params: JsonValue | null;
	/** Null sends none: methods that are open need none. */
	userpass: string | null;
	/** Version 2 only; null sends none. */
	id: bigint | null;
}

/** The body of one call. */
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
