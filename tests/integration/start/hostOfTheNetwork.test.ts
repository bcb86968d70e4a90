/** Starts that listen on one address of the machine alone, and on none. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { configOfNowhere, saidByEnded, startProduct } from '../../support/product.ts';

const folder = mkdtempSync(join(tmpdir(), 'komodeck-host-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const config = configOfNowhere(folder);

// Other systems have no more than one address of the machine itself.
test.runIf(process.platform === 'linux')('the address that is said answers', async () => {
	const env = { HOST: '127.0.0.2' };
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
