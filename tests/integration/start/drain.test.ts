/** A server that is told to end while a load balancer still sends it requests. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { configOfNowhere, launchProduct } from '../../support/product.ts';

const folder = mkdtempSync(join(tmpdir(), 'komodeck-drain-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a server whose terminal goes ends in order', async () => {
	const config = configOfNowhere(folder);
	const { child } = await launchProduct({
		flags: [],
		env: { KOMODECK_DATA: folder, KOMODECK_CONFIG: config }
	});
	const ended = once(child, 'exit');
	child.kill('SIGHUP');
	expect(await ended).toEqual([0, null]);
});

test('a server that npm started ends in order with npm', async () => {
	const { child, url } = await launchProduct({
		command: ['npm', 'start'],
		env: { KOMODECK_DATA: folder, KOMODECK_CONFIG: configOfNowhere(folder) }
	});
	const ended = once(child, 'exit');
	child.kill('SIGTERM');
	await ended;
	await expect(fetch(`${url}/healthz`)).rejects.toThrow('fetch failed');
});

test('a server that drains answers and says so, keeps no connection, and ends at a second signal', async () => {
	const config = join(folder, 'komodeck.json');
	// Nothing listens there.
	const daemon = { chain: 'ALPHA', url: 'http://127.0.0.1:1', user: 'u', password: 'p' };
	writeFileSync(config, JSON.stringify({ daemons: [daemon] }));
	const { child, url } = await launchProduct({
		env: { KOMODECK_DATA: folder, KOMODECK_CONFIG: config, KOMODECK_DRAIN_SECONDS: '600' }
	});
	const ended = once(child, 'exit');
	const ready = async (): Promise<[number, string]> => {
		const answer = await fetch(`${url}/readyz`);
		return [answer.status, await answer.text()];
	};
	try {
		expect(await ready()).toEqual([200, 'ready\n']);
		child.kill('SIGTERM');
		// Like npm, which forwards a signal that the terminal has sent to both.
		child.kill('SIGTERM');
		await vi.waitFor(async () => expect(await ready()).toEqual([503, 'not ready: it ends\n']), {
			timeout: 30_000,
			interval: 20
		});
		for (const path of ['/login', '/healthz', '/api/rpc/ALPHA']) {
			const answer = await fetch(url + path);
			await answer.text();
			expect(answer.status, path).toBeLessThan(500);
			expect(answer.headers.get('connection'), path).toBe('close');
		}
	} finally {
		child.kill('SIGINT');
	}
	expect(await ended).toEqual([0, null]);
});
