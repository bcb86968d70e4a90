/** HTTP responses about notary approvals, for scripts on any site. */
import { jsonOrNull } from '#lib/text/jsonOrNull.ts';
import { isKnown } from '../../chains/lists/answer.ts';
import { contentTag } from '../../platform/http/contentTag.ts';

const HEADERS = {
	// The content is public, and no session is used.
	'access-control-allow-origin': '*',
	'cache-control': 'no-cache'
} as const;

/** Returns a JSON response with an ETag by content; 304 without a body if the caller has the same content. */
export function publicAnswer(request: Request, body: unknown): Response {
	const text = `${JSON.stringify(body)}\n`;
	const etag = contentTag(text);
	const headers = { ...HEADERS, etag };
	if (isKnown(request, etag)) return new Response(null, { status: 304, headers });
	return new Response(text, { headers: { ...headers, 'content-type': 'application/json' } });
}

interface PublicError {
	code: string;
	/** A sentence for users. */
	message: string;
}

/** A JSON response that pages of other installations may read. */
export function publicResult(
	status: number,
	body: object,
	more: Readonly<Record<string, string>> = {}
): Response {
	return new Response(`${JSON.stringify(body)}\n`, {
		status,
		headers: { ...HEADERS, 'content-type': 'application/json', ...more }
	});
}

/** An error in the form of {@link publicResult}. */
export const publicError = (
	status: number,
	error: PublicError,
	more: Readonly<Record<string, string>> = {}
): Response => publicResult(status, { error }, more);

/** Most bytes of a request body: a txid in JSON. */
const MOST_BYTES = 1024;

/** Reads the text of a small body; null when it is larger, without reading further. */
export async function smallBody(request: Request): Promise<string | null> {
	if (Number(request.headers.get('content-length') ?? 0) > MOST_BYTES) return null;
	if (!request.body) return '';
	const parts: Uint8Array[] = [];
	let size = 0;
	const reader = request.body.getReader();
	for (;;) {
		const { done, value } = await reader.read();
		if (done) break;
		size += value.length;
		if (size > MOST_BYTES) {
			await reader.cancel();
			return null;
		}
		parts.push(value);
	}
	return Buffer.concat(parts).toString('utf8');
}

/** Returns the id in `{"txid":"…"}`; null when the text has another form. */
export function givenId(text: string): string | null {
	const body = jsonOrNull(text);
	if (typeof body !== 'object' || body === null || !('txid' in body)) return null;
	return typeof body.txid === 'string' ? body.txid : null;
}
