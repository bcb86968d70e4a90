import { once } from 'node:events';
import { createReadStream, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LOCAL } from '../../tests/support/served.ts';
import { createWebServer, listen, stopListening } from './server.ts';

/** Size of the file when the file handler listed it. */
const LISTED = 200_000;

describe('a file of the build', () => {
	let folder = '';
	let file = '';
	let server: Server;
	let port = 0;
	const faults: unknown[] = [];

	beforeEach(async () => {
		folder = mkdtempSync(join(tmpdir(), 'komodeck-files-'));
		file = join(folder, 'page.woff2');
		writeFileSync(file, Buffer.alloc(LISTED, 'a'));
		server = createWebServer({
			...LOCAL,
			pages: (_request, response) => {
				response.setHeader('cache-control', 'public,max-age=31536000,immutable');
				response.writeHead(200, { 'content-length': LISTED, 'content-type': 'font/woff2' });
				createReadStream(file).pipe(response);
			},
			rpcApi: () => undefined,
			obstacle: () => Promise.resolve(null),
			onError: (error) => faults.push(error)
		});
		port = await listen(server, 0, '127.0.0.1');
	});
	afterEach(async () => {
		await stopListening(server, 0);
		rmSync(folder, { recursive: true, force: true });
		expect(faults).toEqual([]);
	});

	/** Returns everything received on a connection on which two requests are made. */
	async function twice(): Promise<string> {
		const socket = connect(port, '127.0.0.1');
		let text = '';
		socket.on('data', (part: Buffer) => void (text += part.toString('latin1')));
		socket.on('error', () => undefined);
		const closed = once(socket, 'close');
		const get = (path: string, more = ''): string =>
			`GET ${path} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`;
		socket.write(get('/page.woff2') + get('/healthz', 'Connection: close\r\n'));
		await closed;
		return text;
	}

	it('is served', async () => {
		const answer = await fetch(`http://127.0.0.1:${port}/`);
		expect((await answer.arrayBuffer()).byteLength).toBe(LISTED);
		expect(await twice()).toMatch(/aaaHTTP\/1\.1 200 OK[^]*\nok\n/);
	});

	it.each([
		['gone', () => rmSync(file)],
		[
			'a folder now',
			() => {
				rmSync(file);
				mkdirSync(file);
			}
		]
	])('that is %s is not found, and nothing keeps that answer', async (_name, change) => {
		change();
		const answer = await fetch(`http://127.0.0.1:${port}/`);
		expect(answer.status).toBe(404);
		expect(answer.headers.get('cache-control')).toBe('no-store');
		expect(await answer.text()).toBe('Not found\n');
		expect(await twice()).toMatch(/Not found\n[^]*HTTP\/1\.1 200 OK[^]*\nok\n/);
	});

	it.each([
		['shorter', LISTED - 1],
		['empty', 0],
		['longer', LISTED + 1]
	])('that is %s than it was ends its connection', async (_name, size) => {
		writeFileSync(file, Buffer.alloc(size, 'a'));
		expect(await twice()).not.toMatch(/\nok\n/);
		await expect(
			fetch(`http://127.0.0.1:${port}/`).then((answer) => answer.arrayBuffer())
		).rejects.toThrow();
	});
});
