import { RawJsonError, rawMembers } from './raw-json.ts';
import type { RawAnswer } from './types.ts';

/** What kind of answer came, as far as health and retries need to know. */
export type AnswerKind =
	| { kind: 'rpc' }
	| { kind: 'warming-up'; text: string }
	| { kind: 'busy' }
	| { kind: 'unauthorized'; status: number }
	| { kind: 'truncated' }
	| { kind: 'not-rpc' };

const WARMING_UP = -28;
const WORK_QUEUE = 'Work queue depth exceeded';
/** A -28 answer is a short text; a longer answer is not searched. */
const SHORT = 4096;

function warmUpText(body: string): string | null {
	try {
		const error = new Map(rawMembers(body)).get('error');
		if (error === undefined || !error.startsWith('{')) return null;
		const members = new Map(rawMembers(error));
		if (Number(members.get('code')) !== WARMING_UP) return null;
		return String(JSON.parse(members.get('message') ?? '""'));
	} catch (cause) {
		if (cause instanceof RawJsonError || cause instanceof SyntaxError) return null;
		throw cause;
	}
}

/**
 * Tells a JSON-RPC answer from what the daemon's HTTP library or something else says (Komodo daemon 0.9.0:
 * a full work queue is plain text with status 500, a refused login is 401 with an empty body, another
 * address than allowed is 403, shutting down is 503 with HTML). A long body is looked at from both ends only.
 */
export function classify(answer: RawAnswer): AnswerKind {
	const { status, body } = answer;
	if (status === 401 || status === 403) return { kind: 'unauthorized', status };
	const first = String.fromCharCode(body[0] ?? 0x20);
	if (first !== '{' && first !== '[') {
		if (status === 500 && body.subarray(0, 200).includes(WORK_QUEUE)) return { kind: 'busy' };
		return { kind: status === 200 && body.length === 0 ? 'truncated' : 'not-rpc' };
	}
	const tail = body.subarray(-16).toString('latin1').trimEnd();
	if (!tail.endsWith(first === '{' ? '}' : ']')) return { kind: 'truncated' };
	if (status === 500 && body.length <= SHORT) {
		const text = warmUpText(body.toString('utf8'));
		if (text !== null) return { kind: 'warming-up', text };
	}
	return { kind: 'rpc' };
}
