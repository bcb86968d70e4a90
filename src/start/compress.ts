/**
 * Compresses responses. It wraps SvelteKit's handler, so that pages, the API and exports are all covered; the
 * RPC API, event streams and small responses are not compressed.
 *
 * Only responses to GET are compressed: a response to a form may contain both submitted text and a secret
 * that is shown once, and the size of the two compressed together would leak information about the secret
 * (BREACH).
 */
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import type { BrotliCompress, Gzip } from 'node:zlib';
import {
	BROTLI_QUALITY,
	encodingFor,
	SMALLEST_COMPRESSED,
	type Encoding
} from '#lib/server/platform/http/encoding.ts';

type Chunk = string | Uint8Array;

const COMPRESSIBLE =
	/^(text\/(?!event-stream)|application\/([\w.-]+\+)?(json|xml|javascript|manifest)|image\/svg)/;

/**
 * Base-2 logarithm of Brotli's window. The default of 22 takes 8 MiB for each response that a slow reader leaves
 * open; this one takes half a MiB.
 */
const BROTLI_WINDOW = 18;

/** Flushes after each chunk, so that a page that is still waiting for data already shows its first part. */
const encoderFor = (encoding: Encoding): BrotliCompress | Gzip =>
	encoding === 'br'
		? createBrotliCompress({
				flush: constants.BROTLI_OPERATION_FLUSH,
				params: {
					[constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
					[constants.BROTLI_PARAM_LGWIN]: BROTLI_WINDOW
				}
			})
		: createGzip({ flush: constants.Z_SYNC_FLUSH });

function mayCompress(response: ServerResponse, status: number): boolean {
	if (status < 200 || status === 204 || status === 206 || status === 304) return false;
	if (response.hasHeader('content-encoding') || response.hasHeader('content-range')) return false;
	if (/\bno-transform\b/i.test(String(response.getHeader('cache-control') ?? ''))) return false;
	return COMPRESSIBLE.test(String(response.getHeader('content-type') ?? '').toLowerCase());
}

function addVary(response: ServerResponse): void {
	const vary = String(response.getHeader('vary') ?? '');
	if (/(^|,)\s*(\*|accept-encoding)\s*(,|$)/i.test(vary)) return;
	response.setHeader('vary', vary === '' ? 'Accept-Encoding' : `${vary}, Accept-Encoding`);
}

/**
 * Compresses what is written to `response` from now on, if the client accepts it and it is worthwhile.
 * Backpressure is passed on: the writer waits for the encoder, the encoder for the connection.
 */
export function compressAnswer(request: IncomingMessage, response: ServerResponse): void {
	if (request.method !== 'GET') return;
	const encoding = encodingFor(request.headers['accept-encoding'] as string | undefined);
	const plain = {
		writeHead: response.writeHead.bind(response) as (status: number) => ServerResponse,
		write: response.write.bind(response) as (chunk: Chunk) => boolean,
		end: response.end.bind(response) as (chunk?: Chunk) => ServerResponse,
		on: response.on.bind(response),
		once: response.once.bind(response)
	};
	let status: number | null = null;
	/** Chunks held back until the response is known to be large enough. */
	let held: Buffer[] | null = null;
	let heldBytes = 0;
	let encoder: BrotliCompress | Gzip | null = null;

	const bytesOf = (chunk: Chunk): Buffer =>
		typeof chunk === 'string'
			? Buffer.from(chunk)
			: Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);

	function startEncoder(chosen: Encoding): BrotliCompress | Gzip {
		const started = encoderFor(chosen);
		response.setHeader('content-encoding', chosen);
		response.removeHeader('content-length');
		response.removeHeader('accept-ranges');
		const etag = String(response.getHeader('etag') ?? '');
		if (etag.startsWith('"')) response.setHeader('etag', `W/${etag}`);
		plain.writeHead(status!);
		started.on('data', (chunk: Buffer) => {
			if (!plain.write(chunk)) started.pause();
		});
		started.on('end', () => plain.end());
		started.on('error', () => response.destroy());
		plain.on('drain', () => started.resume());
		plain.on('close', () => started.destroy());
		return started;
	}

	/** Sends the head and the chunks held back without compression. */
	function goPlain(): void {
		const chunks = held ?? [];
		held = null;
		plain.writeHead(status!);
		for (const chunk of chunks) plain.write(chunk);
	}

	function writeHead(code: number, ...rest: unknown[]): ServerResponse {
		const headers = rest.find((value) => typeof value === 'object' && value !== null);
		for (const [name, value] of Object.entries((headers ?? {}) as OutgoingHttpHeaders)) {
			if (value !== undefined) response.setHeader(name, value);
		}
		status = code;
		const fits = mayCompress(response, code);
		if (fits) addVary(response);
		const length = response.getHeader('content-length');
		const small = length !== undefined && Number(length) < SMALLEST_COMPRESSED;
		if (!fits || small || encoding === null) goPlain();
		else held = [];
		return response;
	}

	function write(chunk: Chunk): boolean {
		if (status === null) writeHead(response.statusCode);
		if (encoder !== null) return encoder.write(chunk);
		if (held === null) return plain.write(chunk);
		const bytes = bytesOf(chunk);
		held.push(bytes);
		heldBytes += bytes.length;
		if (heldBytes < SMALLEST_COMPRESSED) return true;
		const first = Buffer.concat(held);
		held = null;
		encoder = startEncoder(encoding!);
		return encoder.write(first);
	}

	function end(chunk?: unknown): ServerResponse {
		if (status === null) writeHead(response.statusCode);
		const last = typeof chunk === 'string' || chunk instanceof Uint8Array ? chunk : undefined;
		if (last !== undefined && held !== null) write(last);
		else if (last !== undefined && encoder === null) return plain.end(last);
		else if (last !== undefined) encoder!.write(last);
		if (encoder !== null) encoder.end();
		else {
			if (held !== null) goPlain();
			plain.end();
		}
		return response;
	}

	/** Writers that wait for `drain` wait for the encoder, once there is one. */
	const listening =
		(attach: typeof plain.on) =>
		(event: string, listener: (...values: unknown[]) => void): ServerResponse => {
			if (event === 'drain' && encoder !== null) encoder.on('drain', listener);
			else attach(event, listener);
			return response;
		};
	const listeningOnce = (event: string, listener: (...values: unknown[]) => void) => {
		if (event === 'drain' && encoder !== null) encoder.once('drain', listener);
		else plain.once(event, listener);
		return response;
	};

	Object.assign(response, { writeHead, write, end, on: listening(plain.on), once: listeningOnce });
}
