import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Server } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { encodingFor } from '#lib/server/platform/http/encoding.ts';
import { compressAnswer } from './compress.ts';
import { listen, stopListening } from './server.ts';

let server: Server | null = null;

afterEach(async () => {
	if (server !== null) await stopListening(server, 0);
	server = null;
});

async function serve(
	answer: (response: ServerResponse, request: IncomingMessage) => void
): Promise<number> {
	server = createServer((request, response) => {
		compressAnswer(request, response);
		answer(response, request);
	});
	return listen(server, 0, '127.0.0.1');
}

/** Returns the response with its bytes as sent over the wire. */
async function get(
	port: number,
	acceptEncoding: string | undefined,
	method = 'GET'
): Promise<{ headers: IncomingMessage['headers']; bytes: Buffer }> {
	const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
	const headers = acceptEncoding === undefined ? {} : { 'accept-encoding': acceptEncoding };
	ask({ port, host: '127.0.0.1', method, headers }, resolve).on('error', reject).end();
	const answer = await promise;
	const chunks: Buffer[] = [];
	for await (const chunk of answer) chunks.push(chunk as Buffer);
	return { headers: answer.headers, bytes: Buffer.concat(chunks) };
}

const TEXT = JSON.stringify(Array.from({ length: 500 }, (_, height) => ({ height })));
const json = (response: ServerResponse, text: string, more: Record<string, string> = {}): void => {
	response.writeHead(200, { 'content-type': 'application/json', ...more });
	response.end(text);
};

describe('the choice of an encoding', () => {
	it('follows the weights of the client', () => {
		expect(encodingFor('gzip, deflate, br')).toBe('br');
		expect(encodingFor('gzip')).toBe('gzip');
		expect(encodingFor('br;q=0.5, gzip;q=0.8')).toBe('gzip');
		expect(encodingFor('br;q=0, gzip')).toBe('gzip');
		expect(encodingFor('*')).toBe('br');
		expect(encodingFor('*;q=0')).toBeNull();
		expect(encodingFor('identity')).toBeNull();
		expect(encodingFor(undefined)).toBeNull();
		expect(encodingFor('gzip;q=nonsense')).toBeNull();
	});
});

describe('a compressed answer', () => {
	it('is the plain one after it is unpacked, and smaller', async () => {
		const port = await serve((response) => json(response, TEXT, { etag: '"a"' }));
		const plain = await get(port, undefined);
		expect(plain.bytes.toString()).toBe(TEXT);
		expect(plain.headers['content-encoding']).toBeUndefined();
		expect(plain.headers.vary).toBe('Accept-Encoding');
		for (const [encoding, unpack] of [
			['gzip', gunzipSync],
			['br', brotliDecompressSync]
		] as const) {
			const packed = await get(port, encoding);
			expect(packed.headers['content-encoding']).toBe(encoding);
			expect(packed.headers.etag).toBe('W/"a"');
			expect(packed.bytes.length).toBeLessThan(TEXT.length / 4);
			expect(unpack(packed.bytes).toString()).toBe(TEXT);
		}
	});

	it('has a small Brotli window, which each open response holds in memory', async () => {
		const port = await serve((response) => json(response, TEXT));
		const { bytes } = await get(port, 'br');
		// The first four bits say the size of the window (RFC 7932, 9.1): 0011 is 18, and 1011 the default of 22.
		expect(bytes[0]! & 0b1111).toBe(0b0011);
	});

	it('comes only where it helps and where it is safe', async () => {
		const events = { 'content-type': 'text/event-stream' };
		const cases: [headers: Record<string, string>, text: string][] = [
			[{}, '{"small":true}'],
			[events, TEXT],
			[{ 'content-type': 'image/png' }, TEXT],
			[{ 'content-encoding': 'br' }, TEXT],
			[{ 'cache-control': 'no-store, no-transform' }, TEXT]
		];
		for (const [headers, text] of cases) {
			const port = await serve((response) => json(response, text, headers));
			const { bytes } = await get(port, 'gzip, br');
			expect(bytes.toString(), JSON.stringify(headers)).toBe(text);
			await stopListening(server!, 0);
		}
		const port = await serve((response) => json(response, TEXT));
		expect((await get(port, 'gzip, br', 'POST')).bytes.toString()).toBe(TEXT);
		expect((await get(port, 'gzip, br', 'HEAD')).headers['content-encoding']).toBeUndefined();
	});

	it('has no body where there is none', async () => {
		const port = await serve((response) => {
			response.writeHead(304, { 'content-type': 'text/html', etag: 'W/"a"' });
			response.end();
		});
		const { headers, bytes } = await get(port, 'gzip');
		expect(headers['content-encoding']).toBeUndefined();
		expect(bytes).toHaveLength(0);
	});

	it('shows its first part while the second is not there yet', async () => {
		let finish = (): void => undefined;
		const port = await serve((response) => {
			response.writeHead(200, { 'content-type': 'text/html' });
			response.write(`<p>${'first '.repeat(400)}</p>`);
			finish = () => response.end('<p>second</p>');
		});
		for (const encoding of ['gzip', 'br']) {
			const headers = { 'accept-encoding': encoding };
			const answer = await fetch(`http://127.0.0.1:${port}/`, { headers });
			expect(answer.headers.get('content-encoding')).toBe(encoding);
			const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
			expect((await reader.read()).value).toContain('first');
			finish();
			let rest = '';
			for (let part = await reader.read(); !part.done; part = await reader.read()) {
				rest += part.value;
			}
			expect(rest).toContain('second');
		}
	});

	it('is written no faster than its reader takes it, and ends when the reader goes away', async () => {
		let made = 0;
		const { promise: ended, resolve: end } = Promise.withResolvers<unknown>();
		const port = await serve((response, request) => {
			if (request.url === '/other') {
				response.end();
				return;
			}
			response.writeHead(200, { 'content-type': 'text/csv' });
			// Digits that hardly compress, so that the connection's buffer fills up.
			const endless = Readable.from(
				(function* () {
					for (;;) {
						made++;
						yield Array.from({ length: 6000 }, () => Math.random().toString(36)).join();
					}
				})()
			);
			pipeline(endless, response).catch(end);
		});
		const { promise, resolve } = Promise.withResolvers<IncomingMessage>();
		ask({ port, host: '127.0.0.1', headers: { 'accept-encoding': 'gzip' } }, resolve).end();
		const answer = await promise;
		answer.on('error', () => undefined);
		await new Promise((read) => answer.once('readable', read));
		// A client that stops reading: other requests are served meanwhile, and the stream is not read
		// further.
		let before = -1;
		while (before !== made) {
			before = made;
			for (let turn = 0; turn < 20; turn++) await fetch(`http://127.0.0.1:${port}/other`);
		}
		expect(made).toBeLessThan(500);
		answer.destroy();
		expect(await ended).toMatchObject({ code: 'ERR_STREAM_PREMATURE_CLOSE' });
	});
});
