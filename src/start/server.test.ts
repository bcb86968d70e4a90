import { connect } from 'node:net';
import type { Server } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { LOCAL } from '../../tests/support/served.ts';
import { createWebServer, listen, PROTOCOL_HEADER, stopListening } from './server.ts';
import type { ServedParts } from './server.ts';

let server: Server | null = null;

async function serve(parts: Partial<ServedParts> = {}): Promise<string> {
	server = createWebServer({
		pages: (request, response) =>
			response.end(`page ${request.url} ${String(request.headers[PROTOCOL_HEADER])}`),
		rpcApi: () => undefined,
		obstacle: () => Promise.resolve(null),
		onError: () => undefined,
		...LOCAL,
		...parts
	});
	return `http://localhost:${await listen(server, 0, undefined)}`;
}

afterEach(async () => {
	if (server !== null) await stopListening(server, 0);
	server = null;
});

describe('the server', () => {
	it('answers under the name and the number of this machine', async () => {
		const address = await serve();
		for (const host of ['localhost', '127.0.0.1', '[::1]']) {
			const response = await fetch(`${address.replace('localhost', host)}/healthz`);
			expect(await response.text()).toBe('ok\n');
		}
	});

	it('gives the RPC API its calls before the pages, and pages everything else', async () => {
		const address = await serve({
			rpcApi: () => (_request, response) => {
				response.end('rpc');
				return Promise.resolve();
			}
		});
		expect(await (await fetch(`${address}/api/rpc/ALPHA`, { method: 'POST' })).text()).toBe('rpc');
		expect(await (await fetch(`${address}/chains/ALPHA`)).text()).toBe('page /chains/ALPHA http');
	});

	it('lets no client say which protocol it used', async () => {
		const address = await serve();
		const response = await fetch(`${address}/`, { headers: { [PROTOCOL_HEADER]: 'https' } });
		expect(await response.text()).toBe('page / http');
	});

	it('is not ready before the application is', async () => {
		const address = await serve({ obstacle: () => Promise.resolve('it starts') });
		expect((await fetch(`${address}/readyz`)).status).toBe(503);
		expect((await fetch(`${address}/api/rpc/ALPHA`, { method: 'POST' })).status).toBe(503);
	});

	it('finishes a request that is under way when it stops', async () => {
		const { promise: arrived, resolve: arrive } = Promise.withResolvers<undefined>();
		let finish = (): void => undefined;
		const address = await serve({
			pages: (_request, response) => {
				finish = () => response.end('whole');
				arrive(undefined);
			}
		});
		const asked = fetch(address);
		await arrived;
		const stopped = stopListening(server!, 5_000);
		finish();
		expect(await (await asked).text()).toBe('whole');
		await stopped;
	});

	it('drops what does not end within the grace', async () => {
		const address = await serve();
		const socket = connect(Number(new URL(address).port), '127.0.0.1');
		await new Promise((resolve) => socket.once('connect', resolve));
		socket.write('GET / HTTP/1.1\r\n');
		const closed = new Promise((resolve) => socket.once('close', resolve));
		socket.on('error', () => undefined);
		await stopListening(server!, 50);
		await closed;
	});
});
