import { rpcApi } from '#lib/messages/rpcApi.ts';
import { rawElements, rawMembers } from '../../chains/daemon/rawJson.ts';
import type { RpcBodyFault, RpcBodyLimits } from '../http/rpcBody.ts';

/** One call, cut from the request body; all texts are as the caller wrote them. */
export interface RpcCall {
	kind: 'call';
	method: string;
	params: string[];
	idText: string;
}

/** Refusal of a call, with the daemon's own codes and messages where it has them. */
export interface RpcRefusal {
	kind: 'refusal';
	status: number;
	code: number;
	message: string;
	idText: string;
}

export type RpcItem = RpcCall | RpcRefusal;

export interface RpcBody {
	batch: boolean;
	items: RpcItem[];
}

/** JSON-RPC code for an invalid request. */
export const INVALID = -32600;

export function refusal(
	status: number,
	code: number,
	message: string,
	idText = 'null'
): RpcRefusal {
	return { kind: 'refusal', status, code, message, idText };
}

/** Formats an error as Komodo daemon 0.9.0 does: one line, members in this order. */
export function errorLine({ code, message, idText }: RpcRefusal): string {
	return `{"result":null,"error":{"code":${code},"message":${JSON.stringify(message)}},"id":${idText}}`;
}

/** Returns the refusal of a body that exceeds a limit or is malformed, in the daemon's words where it has them. */
export function bodyRefusal(fault: RpcBodyFault, limits: RpcBodyLimits): RpcRefusal {
	switch (fault) {
		case 'too-deep':
		case 'long-number':
		case 'not-utf8':
			return refusal(500, -32700, 'Parse error');
		case 'too-many-calls':
			return refusal(400, INVALID, rpcApi.tooManyCalls(limits.calls));
		case 'too-many-values':
			return refusal(413, INVALID, rpcApi.tooManyValues(limits.values));
		case 'too-large': {
			const { bytes, hexBytes } = limits;
			return refusal(413, INVALID, rpcApi.tooLarge(bytes, hexBytes));
		}
	}
}

/** Of duplicate members the first one counts, as in the daemon's JSON library. */
function firstMembers(text: string): Map<string, string> {
	const members = new Map<string, string>();
	for (const [name, value] of rawMembers(text)) {
		if (!members.has(name)) members.set(name, value);
	}
	return members;
}

function readCall(text: string): RpcItem {
	if (!text.startsWith('{')) return refusal(400, INVALID, 'Invalid Request object');
	const members = firstMembers(text);
	const idText = members.get('id') ?? 'null';
	const method = members.get('method');
	if (method === undefined || method === 'null') {
		return refusal(400, INVALID, 'Missing method', idText);
	}
	if (!method.startsWith('"')) {
		return refusal(400, INVALID, 'Method must be a string', idText);
	}
	const params = members.get('params') ?? 'null';
	if (params !== 'null' && !params.startsWith('[')) {
		return refusal(400, INVALID, 'Params must be an array', idText);
	}
	return {
		kind: 'call',
		method: JSON.parse(method) as string,
		params: params === 'null' ? [] : rawElements(params),
		idText
	};
}

/**
 * Splits a body into calls. Invalid JSON-RPC gets the error that Komodo daemon 0.9.0 gives. A body that is
 * invalid as a whole yields a single refusal.
 */
export function readBody(text: string): RpcBody | RpcRefusal {
	try {
		// Validates the whole text, so that the splitting below can rely on it; the values are not used.
		JSON.parse(text);
	} catch {
		return refusal(500, -32700, 'Parse error');
	}
	const trimmed = text.trim();
	if (trimmed.startsWith('{')) return { batch: false, items: [readCall(trimmed)] };
	if (!trimmed.startsWith('[')) return refusal(500, -32700, 'Top-level object parse error');
	return { batch: true, items: rawElements(trimmed).map(readCall) };
}
