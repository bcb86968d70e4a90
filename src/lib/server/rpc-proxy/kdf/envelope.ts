/** The two envelopes of a trading node: reads those of callers, and writes Komodeck's own errors in them. */
import { isJsonObject, JsonNumber, stringifyJson, type JsonValue } from '#lib/rpc/json.ts';
import { legacyParams } from '#lib/rpc/kdf/codec.ts';
import { MMRPC, V2_MEMBERS } from '#lib/rpc/kdf/envelope.ts';
import { methodOfBody, kdfDefinition, type KdfMethod } from '#lib/rpc/kdf/index.ts';

/** A response to send. */
export interface KdfAnswer {
	status: number;
	body: string | Buffer;
	/** Whether the node may have acted on any part of the request. */
	mayBeDone: boolean;
}

type Members = { readonly [name: string]: JsonValue };

/** Format of a refusal: the legacy form, or version 2 with the caller's id. */
export type Shape = { form: 'legacy' } | { form: 'v2'; id: JsonValue };

/** A refusal by Komodeck. */
export interface KdfRefusal {
	status: number;
	type: string;
	message: string;
	data?: JsonValue | undefined;
}

/** The node reads nothing that is nested deeper. */
export const MAX_DEPTH = 32;

/** Replaces the node's source locations in Komodeck's own errors. */
const PLACE = 'komodeck';

/** Returns the body of a call without a password: the node's own is added when it is sent. */
export function bodyOfCall(method: KdfMethod, params: Members): string {
	const { name, envelope, paramsForm } = kdfDefinition(method);
	if (envelope === 'legacy') return stringifyJson({ method: name, ...params });
	const empty = paramsForm === 'none' && Object.keys(params).length === 0;
	return stringifyJson({ mmrpc: MMRPC, method: name, ...(empty ? {} : { params }) });
}

/** Maximum of the node's `usize`. */
const MOST_ID = 2n ** 64n - 1n;

/** Returns the id that a node would echo, digit by digit: an unsigned 64-bit integer; else null. */
function echoed(id: JsonValue | undefined): JsonNumber | null {
	const isWhole = id instanceof JsonNumber && /^(?:0|[1-9]\d{0,19})$/.test(id.source);
	return isWhole && BigInt(id.source) <= MOST_ID ? id : null;
}

/** Formats a refusal as the node does. In the legacy form every failure within a method has status 500. */
export function written(
	{ status, type, message, data }: KdfRefusal,
	shape: Shape,
	mayBeDone = false
): KdfAnswer {
	if (shape.form === 'legacy') {
		return {
			mayBeDone,
			status: status === 400 ? 500 : status,
			body: stringifyJson({ error: `${PLACE}:1] ${message}` })
		};
	}
	return {
		status,
		mayBeDone,
		body: stringifyJson({
			mmrpc: MMRPC,
			error: message,
			error_path: PLACE,
			error_trace: `${PLACE}:1]`,
			error_type: type,
			...(data === undefined ? {} : { error_data: data }),
			id: shape.id
		})
	};
}

/** A refusal as the node gives it for a request that it cannot read. */
export const invalid = (data: string): KdfRefusal => ({
	status: 400,
	type: 'InvalidRequest',
	message: `Error parsing request: ${data}`,
	data
});

/** A call whose envelope was read. */
export interface KdfCall {
	method: KdfMethod;
	shape: Shape;
	/** The caller's id; null for none. */
	id: bigint | null;
	params: JsonValue | undefined;
}

export type Unread = { refused: KdfRefusal; shape: Shape };

/** Reads the envelope of one call. */
export function readCall(item: JsonValue): KdfCall | Unread {
	if (!isJsonObject(item)) {
		const what = item === null ? 'missing field `method`' : 'expected an object';
		return { refused: invalid(what), shape: { form: 'v2', id: null } };
	}
	const { mmrpc = null, method: name, id = null } = item;
	const v2: Shape = { form: 'v2', id: echoed(id) };
	if (mmrpc !== null && mmrpc !== MMRPC) {
		const data = `expected \`${MMRPC}\``;
		const message = `Error parsing mmrpc version: ${data}`;
		return { refused: { status: 400, type: 'InvalidMmRpcVersion', message, data }, shape: v2 };
	}
	if (typeof name !== 'string') {
		const data = name === undefined ? 'missing field `method`' : 'method: expected a string';
		return { refused: invalid(data), shape: v2 };
	}
	const method = methodOfBody(name, mmrpc !== null);
	const shape: Shape =
		method !== null && kdfDefinition(method).envelope === 'legacy' ? { form: 'legacy' } : v2;
	if (method === null) {
		return { refused: { status: 400, type: 'NoSuchMethod', message: 'No such method' }, shape };
	}
	if (shape.form === 'legacy') return { method, shape, id: null, params: legacyParams(item) };
	return readV2(item, method, shape, id);
}

function readV2(item: Members, method: KdfMethod, shape: Shape, id: JsonValue): KdfCall | Unread {
	const strange = Object.keys(item).find((member) => !V2_MEMBERS.includes(member));
	if (strange !== undefined) {
		const known = V2_MEMBERS.map((member) => `\`${member}\``).join(', ');
		return { refused: invalid(`unknown field, expected one of ${known}`), shape };
	}
	const echo = echoed(id);
	if (id !== null && echo === null) {
		return { refused: invalid(`id: expected an integer from 0 to ${MOST_ID}`), shape };
	}
	return { method, shape, id: echo === null ? null : BigInt(echo.source), params: item['params'] };
}
