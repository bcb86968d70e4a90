/** Starts that listen on a single address of the machine, and on an invalid one. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { configOfNowhere, saidByEnded, startProduct } from '../../support/product.ts';

const folder = mkdtempSync(join(tmpdir(), 'komodeck-host-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const config = configOfNowhere(folder);

test('the address at which a start says that it is answers', async () => {
	// Other systems have only one loopback address.
	const env = { HOST: process.platform === 'linux' ? '127.0.0.2' : '127.0.0.1' };
	const product = await startProduct({ dataDir: join(folder, 'one'), config, env });
	try {
		const [, said = ''] = /Komodeck is at (\S+)/.exec(product.log()) ?? [];
		expect((await fetch(`${said}/healthz`)).status).toBe(200);
	} finally {
		await product.stop();
	}
});

test('a host that is none of this machine is named, not the port', async () => {
	const said = await saidByEnded({ dataDir: folder, config, env: { HOST: '192.0.2.1' } });
	expect(said).toContain('Cannot listen on 192.0.2.1 (EADDRNOTAVAIL): set HOST');
});
