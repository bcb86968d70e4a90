/** Answers of notary approvals to scripts, which may ask from any site. */
import { createHash } from 'node:crypto';
import { isKnown } from '../../chains/lists/answer.ts';

const HEADERS = {
	// What is published is for everybody, and no session is looked at.
	'access-control-allow-origin': '*',
	'cache-control': 'no-cache'
} as const;

/** JSON; the same content has the same mark, and whoever has it already gets no body. */
export function publicAnswer(request: Request, body: unknown): Response {
	const text = `${JSON.stringify(body)}\n`;
	const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
	const headers = { ...HEADERS, etag };
	if (isKnown(request, etag)) return new Response(null, { status: 304, headers });
	return new Response(text, { headers: { ...headers, 'content-type': 'application/json' } });
}

interface PublicError {
	code: string;
	/** A sentence for a person. */
	message: string;
}

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

export const publicError = (
	status: number,
	error: PublicError,
	more: Readonly<Record<string, string>> = {}
): Response => publicResult(status, { error }, more);

/** Bytes of a request's body that are read: an id and what stands around it. */
const MOST_BYTES = 1024;

/** The text of a small body; null when it is larger. It is not read further than that. */
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

/** The id in `{"txid":"…"}`; null when the text is no such thing. */
export function givenId(text: string): string | null {
	let body: unknown;
	try {
		body = JSON.parse(text);
	} catch (error) {
		if (!(error instanceof SyntaxError)) throw error;
		return null;
	}
	if (typeof body !== 'object' || body === null || !('txid' in body)) return null;
	return typeof body.txid === 'string' ? body.txid : null;
}
