/** Results of probing a lightwalletd server, whatever is at its address. */
import { readFileSync } from 'node:fs';
import { createSecureServer, createServer, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { createEgress } from '#lib/server/kdf/egress/egress.ts';
import { probeAllLight } from '#lib/server/kdf/egress/lightwalletd.ts';
import { readTarget } from '#lib/server/kdf/egress/target.ts';
import { readPrivateList } from '#lib/server/platform/net/ranges.ts';
import { httpServer, plainServer } from './servers.ts';

const stops: (() => unknown)[] = [];
afterEach(async () => {
	for (const stop of stops.splice(0)) await stop();
});

const egress = (list = '127.0.0.1') =>
	createEgress({ listed: () => readPrivateList(list, 'TEST') });
const look = async (url: string, list?: string) =>
	(await probeAllLight(egress(list), [url], { timeoutMs: 1_000 }))[0]!;

/** BlockID of block 152,855, and LightdInfo with a version and a vendor. */
const BLOCK = Buffer.from('0897aa09', 'hex');
const INFO = Buffer.concat([
	Buffer.from('0a05', 'hex'),
	Buffer.from('0.4.1'),
	Buffer.from('1206', 'hex'),
	Buffer.from('Pirate')
]);
const framed = (message: Buffer): Buffer => {
	const head = Buffer.alloc(5);
	head.writeUInt32BE(message.length, 1);
	return Buffer.concat([head, message]);
};

type Serve = (stream: ServerHttp2Stream, path: string) => void;
async function serving(server: Server): Promise<number> {
	await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
	stops.push(() => server.close());
	return (server.address() as AddressInfo).port;
}
const inTheClear = (serve: Serve): Promise<number> => {
	const server = createServer();
	server.on('stream', (stream, headers) => serve(stream, String(headers[':path'])));
	return serving(server as unknown as Server);
};
const answers =
	(block: Buffer, status = '0'): Serve =>
	(stream, path) => {
		stream.on('error', () => undefined);
		stream.respond(
			{ ':status': 200, 'content-type': 'application/grpc' },
			{ waitForTrailers: true }
		);
		stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': status }));
		stream.end(path.endsWith('GetLatestBlock') ? block : framed(INFO));
	};

describe('a look at a lightwalletd server', () => {
	it('finds its last block and what it runs, by the name that the trading node calls', async () => {
		const paths: string[] = [];
		const port = await inTheClear((stream, path) => {
			paths.push(path);
			answers(framed(BLOCK))(stream, path);
		});
		const url = `http://127.0.0.1:${port}/a-key`;
		expect(await look(url)).toMatchObject({
			url,
			protocol: 'gRPC',
			ok: true,
			height: 152_855,
			software: 'Pirate 0.4.1',
			reason: null,
			forbidden: false
		});
		expect(paths).toEqual([
			'/pirate.wallet.sdk.rpc.CompactTxStreamer/GetLatestBlock',
			'/pirate.wallet.sdk.rpc.CompactTxStreamer/GetLightdInfo'
		]);
	});

	it('goes to no private address that is not listed', async () => {
		const port = await inTheClear(answers(framed(BLOCK)));
		expect(await look(`http://127.0.0.1:${port}`, '')).toMatchObject({
			ok: false,
			forbidden: true,
			height: null
		});
	});

	it('checks the certificate, and asks for HTTP/2 over TLS', async () => {
		const here = join(import.meta.dirname, 'testdata');
		const server = createSecureServer({
			key: readFileSync(join(here, 'localhost.key.pem')),
			cert: readFileSync(join(here, 'localhost.cert.pem'))
		});
		const port = await serving(server as unknown as Server);
		expect(await look(`https://127.0.0.1:${port}`)).toMatchObject({
			ok: false,
			reason: expect.stringMatching(/certificate .* is not trusted/) as string
		});
		const socket = await egress().dial(readTarget(`127.0.0.1:${port}`), {
			tls: true,
			anyCertificate: true,
			protocol: 'h2',
			timeoutMs: 1_000
		});
		expect((socket as TLSSocket).alpnProtocol).toBe('h2');
		socket.destroy();
	});

	it.each<[string, Serve]>([
		['an error of gRPC', answers(framed(BLOCK), '14')],
		[
			'a method that is not there',
			(stream) => {
				stream.respond({ ':status': 200, 'grpc-status': '12' }, { endStream: true });
			}
		],
		[
			'a page',
			(stream) => {
				stream.respond({ ':status': 404 });
				stream.end('<html>');
			}
		],
		['a frame that breaks off', answers(framed(BLOCK).subarray(0, 6))],
		['a frame that is no message', answers(framed(Buffer.from('ff', 'hex')))],
		['nothing but an end', (stream) => stream.close()]
	])('says of %s that it is none', async (_what, serve) => {
		const port = await inTheClear(serve);
		expect(await look(`http://127.0.0.1:${port}`)).toMatchObject({
			ok: false,
			forbidden: false,
			reason: `127.0.0.1:${port} does not speak the lightwalletd protocol.`
		});
	});

	it('ends with what is too long, silent, of another protocol, or not there', async () => {
		const long = await inTheClear((stream) => {
			stream.on('error', () => undefined);
			stream.respond({ ':status': 200 });
			stream.end(Buffer.alloc(200_000));
		});
		expect((await look(`http://127.0.0.1:${long}`)).reason).toMatch(/is too long/);
		const silent = await plainServer(() => undefined);
		const page = await httpServer((_request, response) => void response.end('hello'));
		stops.push(
			() => silent.stop(),
			() => page.stop()
		);
		expect((await look(`http://127.0.0.1:${silent.port}`)).reason).toMatch(/in time/);
		expect((await look(`http://127.0.0.1:${page.port}`)).reason).toMatch(/lightwalletd protocol/);
		expect((await look('http://127.0.0.1:1')).reason).toMatch(/Nothing answers/);
	});

	it.each<[string, Serve]>([
		['answers nothing', () => undefined],
		['begins an answer', (stream) => stream.respond({ ':status': 200 })]
	])('leaves no connection to a server that %s', async (_what, serve) => {
		const server = createServer();
		const ended = new Promise<void>((resolve) => {
			server.on('session', (session) => session.once('close', resolve));
		});
		server.on('stream', (stream) => {
			stream.on('error', () => undefined);
			serve(stream, '');
		});
		const port = await serving(server as unknown as Server);
		expect((await look(`http://127.0.0.1:${port}`)).reason).toMatch(/in time/);
		await ended;
	});
});
