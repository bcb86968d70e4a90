import type { RefusedWhy } from '../audit/refusals.ts';
import { stands } from '../guards/stands.ts';
import { rawElements, rawMembers } from './raw-json.ts';

/** One call of a caller, cut from the body; all texts are as the caller wrote them. */
export interface DoorCall {
	kind: 'call';
	method: string;
	params: string[];
	idText: string;
}

/** What cannot be called; the daemon's own codes and words where it has them. */
export interface DoorRefusal {
	kind: 'refusal';
	status: number;
	code: number;
	message: string;
	idText: string;
	/** The right that is missing, where that is the reason: such a refusal goes on record. */
	denied?: { method: string; why: RefusedWhy; reason: string };
}

export type DoorItem = DoorCall | DoorRefusal;

export interface DoorBody {
	batch: boolean;
	items: DoorItem[];
}

const MAX_DEPTH = 64;

export function refusal(
	status: number,
	code: number,
	message: string,
	idText = 'null'
): DoorRefusal {
	return { kind: 'refusal', status, code, message, idText };
}

/** An error as Komodo daemon 0.9.0 writes it: one line, members in this order. */
export function errorLine({ code, message, idText }: DoorRefusal): string {
	return `{"result":null,"error":{"code":${code},"message":${JSON.stringify(message)}},"id":${idText}}`;
}

const SQUARE = '['.charCodeAt(0);
const CURLY = '{'.charCodeAt(0);

/** Whether a text has so few opening brackets that it cannot nest too deep: true of nearly every call. */
function isFlat(text: string): boolean {
	let left = MAX_DEPTH;
	for (let at = 0; at < text.length; at += 1) {
		const code = text.charCodeAt(at);
		if ((code === SQUARE || code === CURLY) && --left < 0) return false;
	}
	return true;
}

/** Whether brackets outside of strings nest deeper than is taken. */
function tooDeep(text: string): boolean {
	if (isFlat(text)) return false;
	let depth = 0;
	for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
		if (token === '[' || token === '{') {
			depth += 1;
			if (depth > MAX_DEPTH) return true;
		} else if (token === ']' || token === '}') depth -= 1;
	}
	return false;
}

/** The first member of a name counts, as in the daemon's JSON library. */
function firstMembers(text: string): Map<string, string> {
	const members = new Map<string, string>();
	for (const [name, value] of rawMembers(text)) {
		if (!members.has(name)) members.set(name, value);
	}
	return members;
}

function readCall(text: string): DoorItem {
	if (!text.startsWith('{')) return refusal(400, -32600, 'Invalid Request object');
	const members = firstMembers(text);
	const idText = members.get('id') ?? 'null';
	const method = members.get('method');
	if (method === undefined || method === 'null') {
		return refusal(400, -32600, 'Missing method', idText);
	}
	if (!method.startsWith('"')) {
		return refusal(400, -32600, 'Method must be a string', idText);
	}
	const params = members.get('params') ?? 'null';
	if (params !== 'null' && !params.startsWith('[')) {
		return refusal(400, -32600, 'Params must be an array', idText);
	}
	return {
		kind: 'call',
		method: JSON.parse(method) as string,
		params: params === 'null' ? [] : rawElements(params),
		idText
	};
}

/**
 * Cuts a body into calls. What is no JSON-RPC gets the error that Komodo daemon 0.9.0 gives.
 * A body that is refused as a whole comes back as one refusal.
 */
export function readBody(text: string, maxBatch: number): DoorBody | DoorRefusal {
	if (tooDeep(text) && stands('depth-limit')) return refusal(500, -32700, 'Parse error');
	try {
		// Checks all of the text, so that the cutting below can trust it; the values are not used.
		if (stands('checked-json')) JSON.parse(text);
	} catch {
		return refusal(500, -32700, 'Parse error');
	}
	const trimmed = text.trim();
	if (trimmed.startsWith('{')) return { batch: false, items: [readCall(trimmed)] };
	if (!trimmed.startsWith('[')) return refusal(500, -32700, 'Top-level object parse error');
	const elements = rawElements(trimmed);
	if (elements.length > maxBatch && stands('batch-limit')) {
		return refusal(400, -32600, `A batch may hold at most ${maxBatch} calls`);
	}
	return { batch: true, items: elements.map(readCall) };
}
