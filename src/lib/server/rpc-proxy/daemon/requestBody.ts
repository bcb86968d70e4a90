import { RPC_INVALID_REQUEST, RPC_PARSE_ERROR } from '#lib/rpc/errorCodes.ts';
import { rawElements, rawMembers } from '../../chains/upstream/rawJson.ts';
import { refusal, type RpcRefusal } from '../http/refusal.ts';

/** One call, cut from the request body; all texts are as the caller wrote them. */
export interface RpcCall {
	kind: 'call';
	method: string;
	params: string[];
	idText: string;
}

export type RpcItem = RpcCall | RpcRefusal;

export interface RpcBody {
	batch: boolean;
	items: RpcItem[];
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
	if (!text.startsWith('{')) return refusal(400, RPC_INVALID_REQUEST, 'Invalid Request object');
	const members = firstMembers(text);
	const idText = members.get('id') ?? 'null';
	const method = members.get('method');
	if (method === undefined || method === 'null') {
		return refusal(400, RPC_INVALID_REQUEST, 'Missing method', idText);
	}
	if (!method.startsWith('"')) {
		return refusal(400, RPC_INVALID_REQUEST, 'Method must be a string', idText);
	}
	const params = members.get('params') ?? 'null';
	if (params !== 'null' && !params.startsWith('[')) {
		return refusal(400, RPC_INVALID_REQUEST, 'Params must be an array', idText);
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
		return refusal(500, RPC_PARSE_ERROR, 'Parse error');
	}
	const trimmed = text.trim();
	if (trimmed.startsWith('{')) return { batch: false, items: [readCall(trimmed)] };
	if (!trimmed.startsWith('['))
		return refusal(500, RPC_PARSE_ERROR, 'Top-level object parse error');
	return { batch: true, items: rawElements(trimmed).map(readCall) };
}
