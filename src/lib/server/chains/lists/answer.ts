import { createHash } from 'node:crypto';
import type { CodesOf } from '#lib/messages/errors/index.ts';
import { isAppError } from '../../platform/errors/appError.ts';

/** JSON with the headers of the API. */
export function jsonAnswer(
	body: unknown,
	{ status = 200, etag }: { status?: number; etag?: string } = {}
): Response {
	return new Response(JSON.stringify(body), {
		status,
		headers: {
			'content-type': 'application/json',
			'cache-control': 'private, no-cache',
			...(etag === undefined ? {} : { etag })
		}
	});
}

/** Raised when the form of answers changes, so that nobody keeps one of the form before. */
const FORMAT = 4;

/** The mark of an answer: same question, same form, same state of the index, same answer. */
export function etagOf(url: URL, state: string): string {
	const text = `${FORMAT}\n${url.pathname}${url.search}\n${state}`;
	return `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
}

/** Whether the caller has this very answer already (RFC 9110, weak comparison). */
export function isKnown(request: Request, etag: string): boolean {
	const bare = (tag: string): string => tag.trim().replace(/^W\//, '');
	const given = request.headers.get('if-none-match');
	if (given === null) return false;
	return given.trim() === '*' || given.split(',').some((tag) => bare(tag) === bare(etag));
}

export const notModified = (etag: string): Response =>
	new Response(null, { status: 304, headers: { etag, 'cache-control': 'private, no-cache' } });

/** What scripts have been told from the beginning, whatever the catalogue distinguishes. */
function publicCode(code: CodesOf<'api'>): string {
	switch (code) {
		case 'api.cursor-unknown':
			return 'bad-cursor';
		case 'api.list-unknown':
			return 'unknown-list';
		case 'api.chain-unknown':
			return 'unknown-chain';
		case 'api.chain-not-indexed':
		case 'api.not-indexed':
		case 'api.nothing-here':
			return 'not-found';
		default:
			return 'bad-parameter';
	}
}

/** Runs a handler; what the caller did wrong becomes an answer, everything else goes on. */
export async function answering(
	requestId: string,
	handler: () => Promise<Response>
): Promise<Response> {
	try {
		return await handler();
	} catch (cause) {
		if (!isAppError(cause, 'api')) throw cause;
		const { code, message, field, status } = cause;
		return jsonAnswer(
			{
				error: { code: publicCode(code), message, ...(field === null ? {} : { field }), requestId }
			},
			{ status }
		);
	}
}
