/** A start whose configured first account cannot be created. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { configOfNowhere, saidByEnded } from '../../support/product.ts';

const folder = mkdtempSync(join(tmpdir(), 'komodeck-first-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a first account that cannot be made ends the start with the settings that it is of', async () => {
	const config = configOfNowhere(folder);
	const started = (password: string, name: string): Promise<string> =>
		saidByEnded({
			dataDir: join(folder, 'data'),
			config,
			env: { KOMODECK_ADMIN_USER: name, KOMODECK_ADMIN_PASSWORD: password }
		});
	const short = await started('canary', 'ada');
	expect(short).toMatch(/KOMODECK_ADMIN_PASSWORD\) cannot be created: Use at least 12 characters/);
	expect(short).not.toMatch(/\n\s+at |canary/);
	const odd = await started('a long enough password', 'engine');
	expect(odd).toMatch(/cannot be created: In the audit log this name/);
	expect(odd).not.toMatch(/\n\s+at /);
});
