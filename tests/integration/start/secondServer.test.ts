/** Two servers over one data folder with SQLite, and commands beside a server. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { command } from '../../support/commandLine.ts';
import { configOfNowhere, saidByEnded, startProduct } from '../../support/product.ts';

const folder = mkdtempSync(join(tmpdir(), 'komodeck-second-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a second server does not start while the first runs, and starts once it was killed', async () => {
	const options = { dataDir: join(folder, 'data'), config: configOfNowhere(folder) };
	const first = await startProduct(options);
	try {
		const said = await saidByEnded(options);
		expect(said).toContain(`Another server runs over the data folder ${options.dataDir}`);
		expect(said).not.toContain(' at ');
		expect((await fetch(`${first.url}/readyz`)).status).toBe(200);
		expect(await command(options, ['audit', 'verify'])).toMatchObject({ code: 0 });
	} finally {
		await first.kill();
	}
	const again = await startProduct(options);
	expect((await fetch(`${again.url}/readyz`)).status).toBe(200);
	await again.stop();
}, 120_000);
