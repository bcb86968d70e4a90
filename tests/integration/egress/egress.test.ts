import { afterEach, describe, expect, it } from 'vitest';
import { createEgress, type Egress, type Resolve } from '#lib/server/kdf/egress/egress.ts';
import { probeAll, probeElectrum } from '#lib/server/kdf/egress/electrum.ts';
import type { ElectrumProtocol } from '#lib/server/kdf/egress/electrumServer.ts';
import type { Probe } from '#lib/server/kdf/egress/probe.ts';
import { isAppError } from '#lib/server/platform/errors/appError.ts';
import { readTarget, readUrl } from '#lib/server/kdf/egress/target.ts';
import { readPrivateList } from '#lib/server/platform/net/ranges.ts';
import {
	electrum,
	httpServer,
	lines,
	plainServer,
	tlsServer,
	webSocketServer,
	type TestServer
} from './servers.ts';

const running: TestServer[] = [];
async function serving(server: Promise<TestServer>): Promise<TestServer> {
	const one = await server;
	running.push(one);
	return one;
}
afterEach(async () => {
	await Promise.all(running.splice(0).map((server) => server.stop()));
});

const over = (list: string, resolve?: Resolve): Egress =>
	createEgress({
		listed: () => readPrivateList(list, 'TEST'),
		...(resolve === undefined ? {} : { resolve })
	});
const nowhere: Resolve = () => Promise.reject(new Error('ENOTFOUND'));

/** The code of the refusal; `open` if the connection was allowed. */
async function codeOf(work: Promise<unknown>): Promise<string> {
	try {
		await work;
		return 'open';
	} catch (error) {
		return isAppError(error, 'egress') ? error.code : `other: ${String(error)}`;
	}
}

describe('which connections leave', () => {
	it('makes none to a private address that is not listed, however it is spelled', async () => {
		const server = await serving(plainServer((socket) => socket.end()));
		const egress = over('');
		for (const host of [
			...['127.0.0.1', 'localhost', '127.1', '0x7f000001', '2130706433', '0177.0.0.1', '0.0.0.0'],
			...['[::1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]']
		]) {
			const dialled = codeOf(
				(async () => egress.dial(readTarget(`${host}:${server.port}`), { timeoutMs: 2_000 }))()
			);
			expect(await dialled, host).toMatch(/^egress\.(forbidden|name-unknown|target-invalid)$/);
			for (const scheme of ['http', 'https', 'ws', 'wss'] as const) {
				const address = `${scheme}://${host}:${server.port}/`;
				const asked = scheme.startsWith('ws')
					? egress.webSocket(address, { timeoutMs: 2_000, maxBytes: 10 })
					: egress.http(address, { timeoutMs: 2_000, maxBytes: 10 });
				expect(await codeOf(asked), address).toMatch(
					/^egress\.(forbidden|name-unknown|target-invalid)$/
				);
			}
		}
		expect(server.connections).toBe(0);
	});

	it('connects to the address that was checked, and never asks the name server again', async () => {
		const wanted = await serving(plainServer((socket) => socket.end('checked'), '127.0.0.2'));
		const inside = await serving(plainServer((s) => s.end('inside'), '127.0.0.1', wanted.port));
		let asked = 0;
		// The name resolves to a permitted address first, then to another one: DNS rebinding.
		const egress = over('127.0.0.2', () => {
			asked += 1;
			return Promise.resolve([asked === 1 ? '127.0.0.2' : '127.0.0.1']);
		});
		const target = readTarget(`rebind.example:${wanted.port}`);
		const socket = await egress.dial(target, { timeoutMs: 2_000 });
		expect(socket.remoteAddress).toBe('127.0.0.2');
		socket.destroy();
		expect(asked).toBe(1);
		expect(await codeOf(egress.dial(target, { timeoutMs: 2_000 }))).toBe('egress.forbidden');
		expect(inside.connections).toBe(0);
		expect(wanted.connections).toBe(1);
	});

	it('leaves forbidden addresses out of an answer that mixes them with allowed ones', async () => {
		const wanted = await serving(plainServer((socket) => socket.end(), '127.0.0.2'));
		const egress = over('127.0.0.2', () => Promise.resolve(['127.0.0.1', '127.0.0.2', '::1']));
		const socket = await egress.dial(readTarget(`mixed.example:${wanted.port}`), {
			timeoutMs: 2_000
		});
		expect(socket.remoteAddress).toBe('127.0.0.2');
		socket.destroy();
	});

	it('tries the next address of a name when the first does not answer', async () => {
		const wanted = await serving(plainServer((socket) => socket.end(), '127.0.0.3'));
		const egress = over('127.0.0.0/8', () => Promise.resolve(['127.0.0.2', '127.0.0.3']));
		const socket = await egress.dial(readTarget(`two.example:${wanted.port}`), {
			timeoutMs: 2_000
		});
		expect(socket.remoteAddress).toBe('127.0.0.3');
		socket.destroy();
	});

	it('says whether a name is unknown, nothing answers, or it takes too long', async () => {
		const closed = await plainServer((socket) => socket.end());
		await closed.stop();
		const egress = over('127.0.0.1', nowhere);
		expect(await codeOf(egress.dial(readTarget('gone.example:1'), { timeoutMs: 2_000 }))).toBe(
			'egress.name-unknown'
		);
		expect(
			await codeOf(egress.dial(readTarget(`127.0.0.1:${closed.port}`), { timeoutMs: 2_000 }))
		).toBe('egress.unreachable');
		const slow = over('127.0.0.1', () => new Promise(() => undefined));
		expect(await codeOf(slow.dial(readTarget('slow.example:1'), { timeoutMs: 50 }))).toBe(
			'egress.timeout'
		);
	});

	it('takes a server as host:port only, and no login in an address', () => {
		for (const text of [
			'',
			'a',
			'a:',
			'a:0',
			'a:65536',
			'a:x',
			'http://a:1',
			'u@a:1',
			'a:1/x',
			'a b:1',
			'::1:1'
		]) {
			expect(() => readTarget(text), text).toThrow(
				expect.objectContaining({ code: expect.stringMatching(/^egress\./) as string }) as Error
			);
		}
		expect(readTarget(' Node.Example:20001 ')).toEqual({ host: 'node.example', port: 20_001 });
		expect(readTarget('[::1]:5')).toEqual({ host: '::1', port: 5 });
		expect(() => readUrl('https://user:pass@a.example/', ['https'])).toThrow(/login/);
		expect(() => readUrl('ftp://a.example/', ['http', 'https'])).toThrow(/http:\/\/ or https:\/\//);
		expect(readUrl('https://a.example/x?y', ['https']).target.port).toBe(443);
	});
});

describe('what is exchanged', () => {
	it('checks certificates for the name that was asked for, unless told to take any', async () => {
		const server = await serving(tlsServer((socket) => socket.end()));
		const egress = over('127.0.0.1', () => Promise.resolve(['127.0.0.1']));
		const target = readTarget(`electrum.example:${server.port}`);
		expect(await codeOf(egress.dial(target, { tls: true, timeoutMs: 2_000 }))).toBe('egress.tls');
		const options = { tls: true, anyCertificate: true, timeoutMs: 2_000 };
		const socket = await egress.dial(target, options);
		socket.destroy();
		const plain = await serving(plainServer((s) => s.end('hello')));
		const wrong = readTarget(`127.0.0.1:${plain.port}`);
		expect(await codeOf(egress.dial(wrong, options))).toBe('egress.tls');
	});

	it('gets an answer over HTTP, follows no redirect, and ends one that is too long or too slow', async () => {
		const inside = await serving(plainServer((socket) => socket.end()));
		const server = await serving(
			httpServer((request, response) => {
				if (request.url === '/long') response.end('x'.repeat(5_000));
				else if (request.url === '/away') {
					response.writeHead(302, { location: `http://127.0.0.1:${inside.port}/` }).end();
				} else if (request.url === '/slow') response.write('x');
				else if (request.url === '/cut') {
					response.writeHead(200, { 'content-length': '100' });
					response.write('x');
					setTimeout(() => response.destroy(), 20);
				} else {
					let text = '';
					request.on('data', (part) => (text += String(part)));
					request.on('end', () => response.end(`${request.method} ${text}`));
				}
			})
		);
		const egress = over(`127.0.0.1:${server.port}`);
		const at = `http://127.0.0.1:${server.port}`;
		const limits = { timeoutMs: 2_000, maxBytes: 1_000 };
		const told = await egress.http(`${at}/`, { ...limits, method: 'POST', body: '{}' });
		expect([told.status, told.body.toString()]).toEqual([200, 'POST {}']);
		expect((await egress.http(`${at}/away`, limits)).status).toBe(302);
		expect(inside.connections).toBe(0);
		expect(await codeOf(egress.http(`${at}/long`, limits))).toBe('egress.too-large');
		expect(await codeOf(egress.http(`${at}/slow`, { ...limits, timeoutMs: 100 }))).toBe(
			'egress.timeout'
		);
		expect(await codeOf(egress.http(`${at}/cut`, limits))).toBe('egress.broken');
	});
});

describe('a look at an Electrum server', () => {
	const look = (port: number, protocol: ElectrumProtocol, any = false): Promise<Probe> =>
		probeElectrum(
			over('127.0.0.1'),
			{ url: `127.0.0.1:${port}`, protocol, disable_cert_verification: any },
			{ timeoutMs: 500 }
		);

	it('finds version and height over TCP, SSL and WebSocket', async () => {
		const tcp = await serving(plainServer(lines(electrum())));
		const ssl = await serving(tlsServer(lines(electrum())));
		const web = await serving(
			webSocketServer((socket) => {
				socket.on('message', (text) => socket.send(electrum()(String(text))));
			})
		);
		const good = { ok: true, software: 'ElectrumX 1.16.0', height: 4321, reason: null };
		expect(await look(tcp.port, 'TCP')).toMatchObject(good);
		expect(await look(ssl.port, 'SSL', true)).toMatchObject(good);
		expect(await look(web.port, 'WS')).toMatchObject(good);
		expect(await look(ssl.port, 'SSL')).toMatchObject({
			ok: false,
			reason: expect.stringContaining('certificate') as string
		});
	});

	it('reads the header of an older protocol', async () => {
		const server = await serving(
			plainServer(
				lines(
					electrum((method, id) =>
						method === 'server.version'
							? { id, result: 'old 1' }
							: { id, result: { block_height: 7 } }
					)
				)
			)
		);
		expect(await look(server.port, 'TCP')).toMatchObject({
			ok: true,
			software: 'old 1',
			height: 7
		});
	});

	it.each<[string, (port: string) => Promise<TestServer>, RegExp]>([
		['says nothing', () => plainServer(() => undefined), /did not answer in time/],
		['ends the connection', () => plainServer((socket) => socket.end()), /ended the connection/],
		[
			'speaks HTTP',
			() => httpServer((_, response) => response.end('hi')),
			/Electrum protocol|ended/
		],
		['talks without end', () => plainServer((s) => s.write('x'.repeat(200_000))), /is too long/],
		[
			'refuses the version',
			() =>
				plainServer(
					lines(
						electrum((m, id) => (m === 'server.version' ? { id, error: { code: 1 } } : undefined))
					)
				),
			/refuses this version/
		],
		[
			'names no block',
			() =>
				plainServer(
					lines(
						electrum((m, id) =>
							m === 'server.version' ? undefined : { id, result: { height: 'x' } }
						)
					)
				),
			/names no last block/
		],
		['sends numbers', () => plainServer(lines(() => '5')), /Electrum protocol/]
	])('says why of a server that %s', async (_, start, reason) => {
		const server = await serving(start(''));
		const told = await look(server.port, 'TCP');
		expect(told).toMatchObject({ ok: false, height: null, software: null });
		expect(told.reason).toMatch(reason);
	});

	it('looks at many, each with its own result in its own place', async () => {
		const good = await serving(plainServer(lines(electrum())));
		const dead = await plainServer((socket) => socket.end());
		await dead.stop();
		const servers = Array.from({ length: 20 }, (_, at) => ({
			url: at === 7 ? `127.0.0.1:${dead.port}` : at === 9 ? '10.9.9.9:1' : `127.0.0.1:${good.port}`,
			protocol: 'TCP' as const
		}));
		const results = await probeAll(over('127.0.0.1'), servers, { timeoutMs: 1_000 });
		expect(results.map(({ url }) => url)).toEqual(servers.map(({ url }) => url));
		expect(results.flatMap(({ ok }, at) => (ok ? [] : [at]))).toEqual([7, 9]);
		expect(results[7]!.reason).toBe(`Nothing answers at 127.0.0.1:${dead.port}.`);
		expect(results[9]!.reason).toMatch(/private network/);
	});
});
