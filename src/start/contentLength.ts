/**
 * Makes responses match their header. The file handler lists files once, at its start: a file deleted,
 * truncated or replaced later would end the process with an uncaught error, or put bytes on the connection
 * that the client takes for the next response.
 */
import { PLAIN_ANSWERS } from '#lib/messages/plainAnswers.ts';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';

type Chunk = string | Uint8Array;

const FILE_HEADERS = [
	'content-type',
	'content-encoding',
	'content-range',
	'accept-ranges',
	'etag',
	'last-modified',
	'vary'
];

/**
 * Wraps `response` so that its header is sent with the first byte of the body: a stream that fails before
 * that is answered with 404. A body that is shorter or longer than announced closes the connection.
 */
export function enforceContentLength(request: IncomingMessage, response: ServerResponse): void {
	const plain = {
		writeHead: response.writeHead.bind(response),
		write: response.write.bind(response) as (...given: unknown[]) => boolean,
		end: response.end.bind(response) as (...given: unknown[]) => ServerResponse,
		flushHeaders: response.flushHeaders.bind(response)
	};
	let head: number | null = null;
	/** Bytes of the body still expected; null when the header does not say. */
	let left: number | null = null;

	function sendHead(): void {
		if (response.headersSent) return;
		const length = response.getHeader('content-length');
		const status = head ?? response.statusCode;
		const bodiless = request.method === 'HEAD' || status === 204 || status === 304;
		left = length === undefined || bodiless ? null : Number(length);
		plain.writeHead(status);
	}

	/** False when the response would exceed its announced length. */
	function fits(chunk: unknown, encoding: unknown): boolean {
		if (left === null || (typeof chunk !== 'string' && !(chunk instanceof Uint8Array))) return true;
		const given = typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8';
		left -= Buffer.byteLength(chunk as Chunk, given);
		return left >= 0;
	}

	response.writeHead = ((status: number, ...rest: unknown[]) => {
		const given = rest.find((value) => typeof value === 'object' && value !== null);
		for (const [name, value] of Object.entries((given ?? {}) as OutgoingHttpHeaders)) {
			if (value !== undefined) response.setHeader(name, value);
		}
		head = status;
		response.statusCode = status;
		return response;
	}) as typeof response.writeHead;
	response.write = ((chunk: unknown, ...more: unknown[]) => {
		sendHead();
		if (fits(chunk, more[0])) return plain.write(chunk, ...more);
		response.destroy();
		return false;
	}) as typeof response.write;
	response.end = ((chunk?: unknown, ...more: unknown[]) => {
		if (head === null && !response.headersSent && !response.hasHeader('content-length')) {
			const known = typeof chunk === 'string' || chunk instanceof Uint8Array ? chunk : '';
			response.setHeader('Content-Length', Buffer.byteLength(known));
		}
		sendHead();
		if (fits(chunk, more[0]) && (left ?? 0) === 0) return plain.end(chunk, ...more);
		response.destroy();
		return response;
	}) as typeof response.end;
	response.flushHeaders = () => {
		sendHead();
		plain.flushHeaders();
	};

	response.on('pipe', (source: Readable) => {
		source.once('error', () => {
			if (response.headersSent) {
				response.destroy();
				return;
			}
			for (const name of [...FILE_HEADERS, 'content-length']) response.removeHeader(name);
			response.setHeader('Cache-Control', 'no-store');
			response.setHeader('Content-Type', 'text/plain; charset=utf-8');
			response.writeHead(404);
			response.end(`${PLAIN_ANSWERS.notFound}\n`);
		});
		// The file is closed when the client disconnects.
		response.once('close', () => source.destroy());
	});
}
