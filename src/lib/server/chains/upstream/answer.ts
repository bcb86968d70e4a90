import { RPC_IN_WARMUP } from '#lib/rpc/errorCodes.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import { rawMembers } from './rawJson.ts';
import type { HttpAnswer } from './requestHandler.ts';

/** Class of an HTTP answer, as far as health tracking and retries need it. */
type AnswerKind =
	| { kind: 'rpc' }
	| { kind: 'warming-up'; text: string }
	| { kind: 'busy' }
	| { kind: 'unauthorized'; status: number }
	| { kind: 'truncated' }
	| { kind: 'not-rpc' };

const WORK_QUEUE = 'Work queue depth exceeded';
/** Status of a full work queue: 500, and 503 in chains of a later Bitcoin Core (0.21: `http_request_cb`). */
const BUSY = [500, 503];
/** Bytes. A -28 refusal is short, so longer answers are not searched for one. */
const SHORT = 4096;

function warmUpText(body: string): string | null {
	try {
		const error = new Map(rawMembers(body)).get('error');
		if (error === undefined || !error.startsWith('{')) return null;
		const members = new Map(rawMembers(error));
		if (Number(members.get('code')) !== RPC_IN_WARMUP) return null;
		return String(JSON.parse(members.get('message') ?? '""'));
	} catch (cause) {
		if (isAppError(cause, 'answer.malformed') || cause instanceof SyntaxError) return null;
		throw cause;
	}
}

/** Whether this answer to one call of a batch is the -28 refusal of a starting daemon, which did not run the call. */
export const isWarmUpRefusal = (answer: Buffer): boolean =>
	answer.length <= SHORT &&
	answer.includes(`${RPC_IN_WARMUP}`) &&
	warmUpText(answer.toString('utf8')) !== null;

const SPACE = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** Returns the first character after leading white space, or a space when there is none. */
function firstSign(body: Buffer): string {
	let at = 0;
	while (SPACE.has(body[at] ?? -1)) at += 1;
	return String.fromCharCode(body[at] ?? 0x20);
}

/** Returns the last character before trailing white space, or a space when there is none. */
function lastSign(body: Buffer): string {
	let at = body.length - 1;
	while (SPACE.has(body[at] ?? -1)) at -= 1;
	return String.fromCharCode(body[at] ?? 0x20);
}

const BYTE_ORDER_MARK = Buffer.from('\ufeff', 'utf8');

/** Returns the answer without a leading byte order mark, which JSON does not allow. */
export function withoutMark(answer: HttpAnswer): HttpAnswer {
	const { body } = answer;
	const marked = body.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
	return marked ? { ...answer, body: body.subarray(BYTE_ORDER_MARK.length) } : answer;
}

/**
 * Tells a JSON-RPC answer from the output of the daemon's HTTP library or of another server (Komodo daemon 0.9.0: a
 * full work queue is plain text with status 500, a refused login is 401 with an empty body, an address that is not
 * allowed is 403, shutting down is 503 with HTML). Only the two ends of a long body are examined.
 */
export function classify(answer: HttpAnswer): AnswerKind {
	const { status, body } = answer;
	if (status === 401 || status === 403) return { kind: 'unauthorized', status };
	// A daemon neither redirects nor answers without a body: this came from a server in between.
	if (status < 200 || status === 204 || (status >= 300 && status < 400)) return { kind: 'not-rpc' };
	const first = firstSign(body);
	if (first !== '{' && first !== '[') {
		const isBusy = BUSY.includes(status) && body.subarray(0, 200).includes(WORK_QUEUE);
		if (isBusy) return { kind: 'busy' };
		return { kind: status === 200 && body.length === 0 ? 'truncated' : 'not-rpc' };
	}
	if (lastSign(body) !== (first === '{' ? '}' : ']')) return { kind: 'truncated' };
	if (first === '{' && body.length <= SHORT && body.includes(`${RPC_IN_WARMUP}`)) {
		const text = warmUpText(body.toString('utf8'));
		if (text !== null) return { kind: 'warming-up', text };
	}
	return { kind: 'rpc' };
}
