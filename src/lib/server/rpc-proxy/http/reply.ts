/** Writes responses of the RPC API: to the connection, or into memory first. */
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { Answer } from '../../platform/idempotency/answer.ts';

/** Writes the single response of a request. */
export type Reply = (
	status: number,
	contentType: string,
	body: string | readonly Buffer[],
	headers?: Readonly<Record<string, string>>
) => void;

/** Smaller responses are concatenated and written at once: two writes cost more than the copy. */
export const SMALL = 16 * 1024;

/** Size of a single write: the system copies all of it before anything else can run. */
const PIECE = 256 * 1024;

/** Yields a body in pieces, and lets other work run between two of them, however fast they are read. */
async function* pieces(body: readonly Buffer[]): AsyncGenerator<Buffer> {
	for (const part of body) {
		for (let at = 0; at < part.length; at += PIECE) {
			yield part.subarray(at, at + PIECE);
			await setImmediate();
		}
	}
}

/** Returns the length of a body in bytes. */
export const bytesOf = (body: string | readonly Buffer[]): number =>
	typeof body === 'string'
		? Buffer.byteLength(body)
		: body.reduce((sum, part) => sum + part.length, 0);

/** Creates a reply that writes to the connection. */
export function replyTo(response: ServerResponse, requestId: string): Reply {
	return (status, contentType, body, headers = {}) => {
		if (response.headersSent || response.destroyed) return;
		const size = bytesOf(body);
		// All headers in one call: Node validates headers that were set earlier a second time.
		response.writeHead(status, {
			...headers,
			'X-Request-Id': requestId,
			'Content-Type': contentType,
			'Content-Length': size,
			'Cache-Control': 'no-store',
			// A daemon's response must never be rendered as a page of this origin.
			'X-Content-Type-Options': 'nosniff',
			'Content-Security-Policy': "default-src 'none'; sandbox"
		});
		if (typeof body === 'string') {
			response.end(body);
		} else if (size <= SMALL) {
			// Node sends a string together with the header block; latin1 preserves every byte.
			response.end(body.map((part) => part.toString('latin1')).join(''), 'latin1');
		} else {
			Readable.from(pieces(body)).pipe(response);
		}
	};
}

/** Returns a body as one piece; that of a single piece is not copied. */
function wholeOf(body: readonly Buffer[]): Uint8Array<ArrayBuffer> {
	const [first] = body;
	if (body.length !== 1 || !(first?.buffer instanceof ArrayBuffer)) return Buffer.concat(body);
	return new Uint8Array(first.buffer, first.byteOffset, first.length);
}

/** Captures a response, so that it can be sent more than once. */
export function captured(): { reply: Reply; answer: () => Answer } {
	let kept: Answer | null = null;
	return {
		reply: (status, contentType, body, headers = {}) => {
			const bytes = typeof body === 'string' ? Buffer.from(body) : wholeOf(body);
			kept ??= {
				status,
				headers: [['content-type', contentType], ...Object.entries(headers)],
				body: bytes
			};
		},
		answer: () => {
			if (kept === null) throw new Error('The request was not answered.');
			return kept;
		}
	};
}

/** Sends a captured response; all repetitions share its bytes. */
export function replay(reply: Reply, { status, headers, body }: Answer): void {
	const others = headers.filter(([name]) => name !== 'content-type');
	const type = headers.find(([name]) => name === 'content-type')?.[1] ?? 'application/json';
	const { buffer, byteOffset, length } = body;
	reply(status, type, [Buffer.from(buffer, byteOffset, length)], Object.fromEntries(others));
}
