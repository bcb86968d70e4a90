import type { CodesOf } from '#lib/messages/errors/index.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import { contentTag } from '../../platform/http/contentTag.ts';

/** Returns a JSON response with the headers of the API. */
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

/** Increase it when the format of responses changes, to invalidate cached ones. */
const FORMAT = 4;

/** Returns the weak ETag of a response: it changes with the URL, the response format and the state of the index. */
export function etagOf(url: URL, state: string): string {
	const text = `${FORMAT}\n${url.pathname}${url.search}\n${state}`;
	return `W/${contentTag(text)}`;
}

/** Whether the caller already has this response (RFC 9110, If-None-Match, weak comparison). */
export function isKnown(request: Request, etag: string): boolean {
	const bare = (tag: string): string => tag.trim().replace(/^W\//, '');
	const given = request.headers.get('if-none-match');
	if (given === null) return false;
	return given.trim() === '*' || given.split(',').some((tag) => bare(tag) === bare(etag));
}

/** The response to a client that has the current version already. */
export const notModified = (etag: string): Response =>
	new Response(null, { status: 304, headers: { etag, 'cache-control': 'private, no-cache' } });

/** Returns the public error code, which stays stable for scripts even where the internal codes are finer. */
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

/** Runs a handler; errors of the caller (`api`) become a response, all others propagate. */
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
