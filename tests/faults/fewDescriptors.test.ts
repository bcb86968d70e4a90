/** A server that may open few files, and more connections than that. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ADMIN, configOfNowhere, launchProduct, type Product } from '../support/product.ts';
import { signIn } from '../support/productClient.ts';

const folder = mkdtempSync(join(tmpdir(), 'komodeck-descriptors-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Starts it with 128 descriptors, which leave 32 connections. */
const launchSmall = (data: string, more: Record<string, string> = {}): Promise<Product> =>
	launchProduct({
		command: ['sh', '-c', `ulimit -n 128; exec "${process.execPath}" src/start/main.ts`],
		env: {
			KOMODECK_DATA: join(folder, data),
			KOMODECK_CONFIG: configOfNowhere(folder),
			KOMODECK_ADMIN_USER: ADMIN.name,
			KOMODECK_ADMIN_PASSWORD: ADMIN.password,
			...more
		}
	});

test('more connections than file descriptors are refused, and break no page', async () => {
	// A proxy may hold all of them.
	const product = await launchSmall('data', { ADDRESS_HEADER: 'x-real-ip' });
	try {
		const { cookie } = await signIn(product.url);
		const page = async (path: string): Promise<number> => {
			const answer = await fetch(product.url + path, { headers: { cookie, accept: 'text/html' } });
			await answer.text();
			return answer.status;
		};
		const sockets = Array.from({ length: 200 }, () => connect(product.port, 'localhost'));
		const closed = sockets.map((socket) => once(socket, 'close').catch(() => undefined));
		await Promise.any(closed);
		// The connection that the sign-in left open still serves: these pages are opened for the first time.
		expect(await page('/help')).toBe(200);
		expect(await page('/decode')).toBe(200);
		for (const socket of sockets) socket.destroy();
		await Promise.all(closed);
		for (const path of ['/help', '/decode', '/admin/members', '/chains/ALPHA']) {
			expect(await page(path), path).toBe(200);
		}
		expect(product.log()).not.toContain('EMFILE');
	} finally {
		await product.stop();
	}
}, 120_000);

test('one address leaves connections to others', async () => {
	const product = await launchSmall('others', { HOST: '127.0.0.1' });
	const { port } = product;
	const sockets = Array.from({ length: 200 }, () => connect(port, '127.0.0.1'));
	for (const socket of sockets) socket.on('error', () => undefined);
	try {
		await Promise.any(sockets.map((socket) => once(socket, 'close')));
		const asked = request({ host: '127.0.0.1', port, path: '/healthz', localAddress: '127.0.0.2' });
		asked.end();
		const [answer] = (await once(asked, 'response')) as [IncomingMessage];
		answer.resume();
		expect(answer.statusCode).toBe(200);
	} finally {
		for (const socket of sockets) socket.destroy();
		await product.stop();
	}
}, 120_000);
