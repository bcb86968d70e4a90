/** Starts with a data folder that the operating system does not allow to create. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { configOfNowhere, saidByEnded } from '../../support/product.ts';

const folder = mkdtempSync(join(tmpdir(), 'komodeck-unusable-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const saidBy = (dataDir: string, config: string): Promise<string> =>
	saidByEnded({ dataDir, config, env: { KOMODO_HOME: folder } });

const withDaemon = configOfNowhere(folder);

test(
	'a data folder where none can be made ends the start with a sentence',
	{ timeout: 60_000 },
	async () => {
		// Other systems have no folder in which even root cannot create one.
		if (process.platform !== 'linux') return expect(existsSync('/proc')).toBe(false);
		// The kernel reports ENOENT each time a folder is created there.
		const said = await saidBy('/proc/komodeck/data', withDaemon);
		expect(said).toContain('/proc/komodeck cannot be used: there is no such file or folder.');
		expect(said).not.toMatch(/\n\s+at /);
	}
);

test('a data folder below a file ends the start with a sentence, with devnet and without', async () => {
	const file = join(folder, 'a-file');
	writeFileSync(file, 'x');
	const below = join(file, 'data');
	for (const config of [withDaemon, '']) {
		const said = await saidBy(below, config);
		expect(said).toContain(`${below} cannot be used: what should be a folder is a file.`);
		expect(said).not.toMatch(/\n\s+at /);
	}
});
