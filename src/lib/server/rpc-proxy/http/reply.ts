/** How an answer of the RPC API leaves: at once, or kept in memory first. */
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { Answer } from '../../platform/idempotency/answer.ts';

/** Writes the one answer of a request. */
export type Reply = (
	status: number,
	contentType: string,
	body: string | readonly Buffer[],
	headers?: Readonly<Record<string, string>>
) => void;

/** Below this an answer is put together and written at once: two writes cost more than the copy. */
const SMALL = 16 * 1024;

/** What is handed to the connection in one go: the system copies all of it before anything else happens. */
const PIECE = 256 * 1024;

/** A body in pieces; what waits meanwhile has its turn between two of them, however fast they are taken. */
async function* pieces(body: readonly Buffer[]): AsyncGenerator<Buffer> {
	for (const part of body) {
		for (let at = 0; at < part.length; at += PIECE) {
			yield part.subarray(at, at + PIECE);
			await setImmediate();
		}
	}
}

/** How long a body is. */
export const bytesOf = (body: string | readonly Buffer[]): number =>
	typeof body === 'string'
		? Buffer.byteLength(body)
		: body.reduce((sum, part) => sum + part.length, 0);

/** Writes to the connection. */
export function replyTo(response: ServerResponse, requestId: string): Reply {
	return (status, contentType, body, headers = {}) => {
		if (response.headersSent || response.destroyed) return;
		const size = bytesOf(body);
		// All headers in one call: Node checks each header that was set before once more.
		response.writeHead(status, {
			...headers,
			'X-Request-Id': requestId,
			'Content-Type': contentType,
			'Content-Length': size,
			'Cache-Control': 'no-store',
			// What a daemon answers is never a page of ours.
			'X-Content-Type-Options': 'nosniff',
			'Content-Security-Policy': "default-src 'none'; sandbox"
		});
		if (typeof body === 'string') {
			response.end(body);
		} else if (size <= SMALL) {
			// Node writes a text together with the head; latin1 carries every byte as it is.
			response.end(body.map((part) => part.toString('latin1')).join(''), 'latin1');
		} else {
			Readable.from(pieces(body)).pipe(response);
		}
	};
}

/** Keeps what is answered, so that it can be given more than once. */
export function captured(): { reply: Reply; answer: () => Answer } {
	let kept: Answer | null = null;
	return {
		reply: (status, contentType, body, headers = {}) => {
			const bytes = typeof body === 'string' ? Buffer.from(body) : Buffer.concat(body);
			kept ??= {
				status,
				headers: [['content-type', contentType], ...Object.entries(headers)],
				body: new Uint8Array(bytes)
			};
		},
		answer: () => {
			if (kept === null) throw new Error('The request was not answered.');
			return kept;
		}
	};
}

/** Gives an answer that was kept. */
export function replay(reply: Reply, { status, headers, body }: Answer): void {
	const others = headers.filter(([name]) => name !== 'content-type');
	const type = headers.find(([name]) => name === 'content-type')?.[1] ?? 'application/json';
	reply(status, type, [Buffer.from(body)], Object.fromEntries(others));
}
