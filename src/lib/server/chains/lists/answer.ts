import { createHash } from 'node:crypto';
import { CursorError } from './cursor.ts';
import { ApiError } from './errors.ts';

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
const FORMAT = 2;

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

/** Runs a handler; what the caller did wrong becomes an answer, everything else goes on. */
export async function answering(
	requestId: string,
	handler: () => Promise<Response>
): Promise<Response> {
	try {
		return await handler();
	} catch (cause) {
		const error =
			cause instanceof CursorError ? new ApiError('bad-cursor', cause.message, cause.place) : cause;
		if (!(error instanceof ApiError)) throw cause;
		const { code, message, field, status } = error;
		return jsonAnswer(
			{ error: { code, message, ...(field === undefined ? {} : { field }), requestId } },
			{ status }
		);
	}
}
