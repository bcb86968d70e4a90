/** Each limit of the server accepts its maximum and refuses one more. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import {
	createDaemonServer,
	createWebServer,
	listen,
	perAddressOf,
	stopListening,
	type ServedParts,
	type ServerLimits
} from './server.ts';
import { LOCAL } from '../../tests/support/served.ts';
import { SlowReaders } from './slowReaders.ts';

let server: Server | null = null;
let port = 0;

async function serve(
	limits: Partial<ServerLimits>,
	parts: Partial<ServedParts> = {}
): Promise<void> {
	server = createWebServer(
		{
			pages: (request, response) => {
				request.resume();
				request.on('end', () => response.end(`page of ${request.url}`));
			},
			rpcApi: () => undefined,
			obstacle: () => Promise.resolve(null),
			onError: () => undefined,
			...LOCAL,
			...parts
		},
		{ checkMs: 20, ...limits }
	);
	port = await listen(server, 0, '127.0.0.1');
}

afterEach(async () => {
	if (server !== null) await stopListening(server, 0);
	server = null;
});

async function open(): Promise<Socket> {
	const socket = connect(port, '127.0.0.1');
	socket.on('error', () => undefined);
	await once(socket, 'connect');
	return socket;
}

/** Sends raw bytes and reads until the server closes the connection. */
async function raw(text: string): Promise<string> {
	const socket = await open();
	let answer = '';
	socket.on('data', (part: Buffer) => void (answer += part.toString('latin1')));
	// A server that stops reading resets the connection, which is not a failure here.
	const closed = new Promise((resolve) => socket.once('close', resolve));
	socket.write(text);
	await closed;
	return answer;
}

const head = (...lines: string[]): string =>
	['GET /x HTTP/1.1', 'Host: localhost', 'Connection: close', ...lines, '', ''].join('\r\n');

const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0);
/** Counts the responses received on one connection. */
const answersIn = (text: string): number => text.split('HTTP/1.1 ').length - 1;

describe('the server takes as much as its limit and no more', () => {
	it('header fields', async () => {
		await serve({ headFields: 10 });
		const fields = (n: number): string[] => Array.from({ length: n }, (_, at) => `X-${at}: 1`);
		expect(statusOf(await raw(head(...fields(8))))).toBe(200);
		const refused = await raw(head(...fields(8), 'Accept: text/html'));
		expect(statusOf(refused)).toBe(431);
		expect(refused).toContain('nothing was done');
		expect(statusOf(await raw(head(...fields(12))))).toBe(431);
	});

	it('bytes of the head', async () => {
		await serve({ headBytes: 2_000 });
		const spare = 2_000 - head('X-Fill: ').length;
		expect(statusOf(await raw(head(`X-Fill: ${'a'.repeat(spare - 50)}`)))).toBe(200);
		expect(statusOf(await raw(head(`X-Fill: ${'a'.repeat(spare + 100)}`)))).toBe(431);
	});

	it('a small rest of a body that nobody reads, and then no more', async () => {
		let accepted = 0;
		await serve(
			{},
			{
				pages: (request, response) => {
					response.writeHead(403, { 'content-type': 'text/plain' });
					response.end('refused');
					request.socket.once('close', () => (accepted = request.socket.bytesRead));
				}
			}
		);
		const size = 32 * 1024 * 1024;
		const answer = await raw(
			`POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${size}\r\n\r\n${'a'.repeat(size)}`
		);
		expect(statusOf(answer)).toBe(403);
		expect(answer).toMatch(/connection: close/i);
		expect(answer).toMatch(/\nrefused\r?\n/);
		expect(accepted).toBeLessThan(1024 * 1024);
	});

	it('the next request of a connection whose body was whole, also when nobody read it', async () => {
		await serve({}, { pages: (_request, response) => setImmediate(() => response.end('refused')) });
		const post = 'POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\n';
		const socket = await open();
		for (let n = 0; n < 3; n++) {
			socket.write(`${post}abcde`);
			const [answer] = (await once(socket, 'data')) as [Buffer];
			expect(answer.toString()).toMatch(/refused$/);
		}
		socket.destroy();
	});

	it('the next request of a connection that asked without a body, when the answer came at once', async () => {
		await serve({});
		const socket = await open();
		for (let n = 0; n < 3; n++) {
			socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
			const [answer] = (await once(socket, 'data')) as [Buffer];
			expect(answer.toString()).toMatch(/connection: keep-alive/i);
			// Clients of daemons, which keep connections for 30 s, send on them without checking.
			expect(Number(/^keep-alive: timeout=(\d+)/im.exec(answer.toString())?.[1])).toBeGreaterThan(
				60
			);
		}
		socket.destroy();
	});

	it.each([
		[8, 6],
		[100, 25],
		[4_000, 1_000],
		[40_000, 1_000]
	])('of %i connections %i from one address, and all from a proxy', (connections, most) => {
		expect(perAddressOf(connections, false)).toBe(most);
		expect(perAddressOf(connections, true)).toBe(connections);
	});

	it('connections from one address', async () => {
		await serve({ connectionsPerAddress: 3 });
		const sockets = await Promise.all([open(), open(), open()]);
		const fourth = await open();
		await once(fourth, 'close');
		const ended = once(sockets[0]!, 'close');
		sockets[0]!.end('GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
		sockets[0]!.resume();
		await ended;
		expect(statusOf(await raw(head()))).toBe(200);
		for (const socket of sockets) socket.destroy();
	});

	it('time for the head', async () => {
		await serve({ headMs: 60, requestMs: 5_000 });
		expect(statusOf(await raw('GET /x HTTP/1.1\r\nHost: localhost\r\nX-Slow'))).toBe(408);
	});

	it('time for the body', async () => {
		await serve({ headMs: 60, requestMs: 120 });
		const answer = await raw(
			'POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nabc'
		);
		expect(statusOf(answer)).toBe(408);
	});

	it('time for a reader who does not take a long answer', async () => {
		let cut: Promise<unknown> = Promise.resolve();
		await serve(
			{ readerWindowMs: 100, readerBytes: 1024 },
			{
				pages: (_request, response) => {
					cut = once(response, 'close');
					response.end(Buffer.alloc(32 * 1024 * 1024));
				}
			}
		);
		const idle = await open();
		idle.pause();
		idle.write(head());
		await once(server!, 'request');
		await cut;
		idle.destroy();
	});
});

describe('the pace of a reader', () => {
	it('is what it takes within the window, also of one piece that was written at once', async () => {
		const pair = createServer();
		await new Promise<void>((resolve) => {
			pair.listen(0, '127.0.0.1', resolve);
		});
		const client = connect((pair.address() as AddressInfo).port, '127.0.0.1');
		client.on('error', () => undefined);
		const [socket] = (await once(pair, 'connection')) as [Socket];
		client.pause();
		const readers = new SlowReaders({ windowMs: 1_000, bytes: 1_000_000 });
		readers.watch(socket);
		readers.look(0);
		socket.write(Buffer.alloc(64 * 1024 * 1024));
		readers.look(10);
		let read = 0;
		client.on('data', (part: Buffer) => {
			read += part.length;
			if (read > 24 * 1024 * 1024) client.pause();
		});
		client.resume();
		while (read <= 24 * 1024 * 1024) await once(client, 'data');
		readers.look(1_500);
		expect(socket.destroyed).toBe(false);
		readers.look(2_499);
		expect(socket.destroyed).toBe(false);
		// The operating system's own buffer accepts far less than the second window requires.
		readers.look(2_500);
		readers.look(3_500);
		expect(socket.destroyed).toBe(true);
		client.destroy();
		pair.close();
	});
});

describe('a request that two servers would cut differently', () => {
	const smuggled = 'GET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n';
	it.each([
		['both a length and chunks', 'Content-Length: 6\r\nTransfer-Encoding: chunked', '0\r\n\r\n'],
		['two lengths', 'Content-Length: 3\r\nContent-Length: 30', 'abc'],
		['a length with a sign', 'Content-Length: +3', 'abc'],
		['a folded field', 'X-A: 1\r\n  Content-Length: 3', 'abc'],
		['an unknown coding', 'Transfer-Encoding: identity, xchunked', 'abc'],
		['chunks that are not last', 'Transfer-Encoding: chunked, identity', '0\r\n\r\n'],
		['a space before the colon', 'Content-Length : 3', 'abc'],
		['a chunk size that is none', 'Transfer-Encoding: chunked', '0x3\r\nabc\r\n0\r\n\r\n'],
		['a line that ends without a return', 'X-A: 1\nContent-Length: 3', 'abc']
	])('is refused, and nothing behind it is served: %s', async (_name, fields, body) => {
		const served: string[] = [];
		await serve(
			{},
			{
				pages: (request, response) => {
					request.resume();
					request.on('end', () => {
						served.push(request.url ?? '');
						response.end('page');
					});
				}
			}
		);
		const answer = await raw(
			`POST /x HTTP/1.1\r\nHost: localhost\r\n${fields}\r\n\r\n${body}${smuggled}`
		);
		expect(statusOf(answer)).toBe(400);
		expect(answersIn(answer)).toBe(1);
		expect(served).toEqual([]);
	});

	it.each([
		['none', 'HTTP/1.1', 'Connection: close'],
		['none in the older version', 'HTTP/1.0', 'Connection: close'],
		['an empty one', 'HTTP/1.1', 'Host:'],
		['two', 'HTTP/1.1', 'Host: localhost\r\nHost: evil.example'],
		['the same twice', 'HTTP/1.1', 'Host: localhost\r\nX-A: 1\r\nHOST: localhost'],
		['a list', 'HTTP/1.1', 'Host: localhost, evil.example'],
		['a user', 'HTTP/1.1', 'Host: localhost@evil.example']
	])('names one host, not %s', async (_name, version, fields) => {
		const served: string[] = [];
		await serve({}, { reached: ({ host }) => served.push(host) });
		for (const path of ['/x', '/healthz', '/api/rpc/ALPHA']) {
			const answer = await raw(`GET ${path} ${version}\r\n${fields}\r\n\r\n${smuggled}`);
			expect(statusOf(answer), path).toBe(400);
			expect(answersIn(answer), path).toBe(1);
		}
		expect(served).toEqual([]);
	});
});

describe('a request for a name that is not configured', () => {
	const other = [
		['a field', '/x', 'Host: evil.example'],
		['a health question', '/healthz', 'Host: evil.example:3000'],
		['a question of readiness', '/readyz', 'Host: evil.example.'],
		['a call', '/api/rpc/ALPHA', 'Host: 127.0.0.1.evil.example'],
		['an absolute target', 'http://evil.example/x', 'Host: localhost'],
		['a port that is ours', '/x', 'Host: evil.example:80'],
		['an upgrade', '/x', 'Host: evil.example\r\nConnection: Upgrade\r\nUpgrade: websocket'],
		['all addresses', '/x', 'Host: 0.0.0.0'],
		['an address in other digits', '/x', 'Host: 2130706433'],
		['what a proxy may say', '/x', 'Host: evil.example\r\nX-Forwarded-Host: localhost']
	] as const;

	it.each(other)('is refused in plain words: %s', async (_name, target, fields) => {
		const reached: string[] = [];
		await serve({}, { reached: ({ host }) => reached.push(host) });
		const answer = await raw(`GET ${target} HTTP/1.1\r\n${fields}\r\nAccept: text/html\r\n\r\n`);
		expect(statusOf(answer)).toBe(421);
		expect(answer).toContain('KOMODECK_HOSTS');
		expect(answer).toMatch(/content-type: text\/plain/i);
		expect(answer).not.toContain('evil');
		expect(reached).toEqual([]);
	});

	it.each(other)('is refused at the port of a daemon, too: %s', async (_name, target, fields) => {
		server = createDaemonServer('ALPHA', {
			...LOCAL,
			rpcApi: () => undefined,
			onError: () => undefined
		});
		port = await listen(server, 0, '127.0.0.1');
		expect(statusOf(await raw(`POST ${target} HTTP/1.1\r\n${fields}\r\n\r\n`))).toBe(421);
	});

	it('does not reach the pages by an absolute target either, which stands in the place of the field', async () => {
		await serve(
			{},
			{
				pages: (request, response) =>
					response.end(`${String(request.headers.host)} ${String(request.url)}`)
			}
		);
		const answer = await raw(
			'GET http://LOCALHOST:3000/x?y HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n'
		);
		expect(answer.split('\r\n\r\n')[1]).toContain('LOCALHOST:3000 /x?y');
	});
});

describe('readiness', () => {
	it('tells what is in the way, and health goes on', async () => {
		await serve({}, { obstacle: () => Promise.resolve('the database does not answer') });
		const ready = await fetch(`http://127.0.0.1:${port}/readyz`);
		expect(ready.status).toBe(503);
		expect(await ready.text()).toBe('not ready: the database does not answer\n');
		expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
	});
});
