/**
 * The id of each call, and whether an answer names it. Each call has one of its own, so that an answer to another
 * call, which a proxy may hand out, is not taken for it.
 */
import { randomBytes } from 'node:crypto';
import type { Awaitable } from '../../../platform/async/awaitable.ts';
import type { HttpAnswer } from '../exchange.ts';
import type { Span } from './measure.ts';
import { readers } from './readers.ts';

/** Space that may stand around an id. */
const MOST_SPACE = 100;
const PROCESS = randomBytes(6).toString('hex');
let last = 0;

/** An id that no other call has, as JSON text. */
export const newCallId = (): string => `"komodeck-${PROCESS}-${(last += 1).toString(36)}"`;

/** Where the id stands when it is the last member, as a daemon writes it. */
function atTheEnd(body: Buffer, id: string): Span | null {
	const member = Buffer.from(`"id":${id}}`, 'latin1');
	const at = body.subarray(-member.length - 2).lastIndexOf(member);
	if (at < 0) return null;
	const start = Math.max(0, body.length - member.length - 2) + at + '"id":'.length;
	return { start, end: start + id.length };
}

/**
 * Where an answer names its call: null where it names none; `other` where it names another one. (Every daemon
 * echoes the id; what stands in between may leave it out, and an error may come before the request was read.)
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
