/**
 * Unique call ids, and the check that an answer carries the id of its call. Without it, an answer that a proxy
 * returned for another call would be accepted.
 */
import { randomBytes } from 'node:crypto';
import type { Awaitable } from '../../../platform/async/awaitable.ts';
import type { HttpAnswer } from '../requestHandler.ts';
import type { Span } from './measure.ts';
import { readers } from './readers.ts';

/** Most white space, in bytes, that may surround an id in an answer. */
const MOST_SPACE = 100;
const PROCESS = randomBytes(6).toString('hex');
let last = 0;

/** Returns a new unique id as JSON text. */
export const newCallId = (): string => `"komodeck-${PROCESS}-${(last += 1).toString(36)}"`;

/** Finds the id when it is the last member of the object, which is where a daemon writes it. */
function atTheEnd(body: Buffer, id: string): Span | null {
	const member = Buffer.from(`"id":${id}}`, 'latin1');
	const at = body.subarray(-member.length - 2).lastIndexOf(member);
	if (at < 0) return null;
	const start = Math.max(0, body.length - member.length - 2) + at + '"id":'.length;
	return { start, end: start + id.length };
}

/**
 * Finds the id of the call in the answer: null when the answer has none, `other` when it has the id of another
 * call. (Every daemon echoes the id; a server in between may leave it out, and an error may be raised before the
 * request was parsed.)
 * @throws {AppError} `answer`
 */
export function idIn(
	{ body }: Pick<HttpAnswer, 'body'>,
	id: string
): Awaitable<Span | null | 'other'> {
	return atTheEnd(body, id) ?? idWithin(body, id);
}

async function idWithin(body: Buffer, id: string): Promise<Span | null | 'other'> {
	const span = await readers.read({ kind: 'id', body });
	if (span === null || span.end - span.start > id.length + MOST_SPACE) {
		return span === null ? null : 'other';
	}
	const text = body.subarray(span.start, span.end).toString('utf8').trim();
	return text === id || text === 'null' ? span : 'other';
}
