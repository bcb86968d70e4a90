/** A start with a first account in the configuration that cannot be made. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ProductEnded, startProduct } from '../../support/product.ts';

const folder = mkdtempSync(join(tmpdir(), 'komodeck-first-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a first account that cannot be made ends the start with the settings that it is of', async () => {
	const config = join(folder, 'komodeck.json');
	// Nothing listens there.
	const daemon = { chain: 'ALPHA', url: 'http://127.0.0.1:1', user: 'u', password: 'p' };
	writeFileSync(config, JSON.stringify({ daemons: [daemon] }));
	const started = (password: string, name: string): Promise<string> =>
		startProduct({
			...{ dataDir: join(folder, 'data'), config },
			env: { KOMODECK_ADMIN_USER: name, KOMODECK_ADMIN_PASSWORD: password }
		}).then(
			async (product) => {
				await product.stop();
				return 'started';
			},
			(error: unknown) => {
				if (!(error instanceof ProductEnded)) throw error;
				return error.log;
			}
		);
	const short = await started('canary', 'ada');
	expect(short).toMatch(/KOMODECK_ADMIN_PASSWORD\) cannot be created: Use at least 12 characters/);
	expect(short).not.toMatch(/\n\s+at |canary/);
	const odd = await started('a long enough password', 'engine');
	expect(odd).toMatch(/cannot be created: In the audit log this name/);
	expect(odd).not.toMatch(/\n\s+at /);
});
