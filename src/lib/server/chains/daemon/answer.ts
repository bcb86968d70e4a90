import { isAppError } from '../../platform/errors/appError.ts';
import { rawMembers } from './rawJson.ts';
import type { HttpAnswer } from './exchange.ts';

/** What kind of answer came, as far as health and retries need to know. */
type AnswerKind =
	| { kind: 'rpc' }
	| { kind: 'warming-up'; text: string }
	| { kind: 'busy' }
	| { kind: 'unauthorized'; status: number }
	| { kind: 'truncated' }
	| { kind: 'not-rpc' };

/** The code of each refusal while a daemon starts. */
export const WARMING_UP = -28;
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
		if (isAppError(cause, 'answer.malformed') || cause instanceof SyntaxError) return null;
		throw cause;
	}
}

/** Whether this is the refusal of one call of a batch by a daemon that starts: it has not looked at the call. */
export const isWarmUpRefusal = (answer: Buffer): boolean =>
	answer.length <= SHORT &&
	answer.includes(`${WARMING_UP}`) &&
	warmUpText(answer.toString('utf8')) !== null;

const SPACE = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** The first character behind white space; a space when there is none. */
function firstSign(body: Buffer): string {
	let at = 0;
	while (SPACE.has(body[at] ?? -1)) at += 1;
	return String.fromCharCode(body[at] ?? 0x20);
}

/** The last character before white space. */
function lastSign(body: Buffer): string {
	let at = body.length - 1;
	while (SPACE.has(body[at] ?? -1)) at -= 1;
	return String.fromCharCode(body[at] ?? 0x20);
}

const BYTE_ORDER_MARK = Buffer.from('\ufeff', 'utf8');

/** The answer without a byte order mark, which is no JSON. */
export function withoutMark(answer: HttpAnswer): HttpAnswer {
	const { body } = answer;
	const marked = body.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
	return marked ? { ...answer, body: body.subarray(BYTE_ORDER_MARK.length) } : answer;
}

/**
 * Tells a JSON-RPC answer from what the daemon's HTTP library or something else says (Komodo daemon 0.9.0:
 * a full work queue is plain text with status 500, a refused login is 401 with an empty body, another
 * address than allowed is 403, shutting down is 503 with HTML). A long body is looked at from both ends only.
 */
export function classify(answer: HttpAnswer): AnswerKind {
	const { status, body } = answer;
	if (status === 401 || status === 403) return { kind: 'unauthorized', status };
	// A daemon neither redirects nor answers without a body: something in between does.
	if (status < 200 || status === 204 || (status >= 300 && status < 400)) return { kind: 'not-rpc' };
	const first = firstSign(body);
	if (first !== '{' && first !== '[') {
		if (status === 500 && body.subarray(0, 200).includes(WORK_QUEUE)) return { kind: 'busy' };
		return { kind: status === 200 && body.length === 0 ? 'truncated' : 'not-rpc' };
	}
	if (lastSign(body) !== (first === '{' ? '}' : ']')) return { kind: 'truncated' };
	if (first === '{' && body.length <= SHORT && body.includes(`${WARMING_UP}`)) {
		const text = warmUpText(body.toString('utf8'));
		if (text !== null) return { kind: 'warming-up', text };
	}
	return { kind: 'rpc' };
}
