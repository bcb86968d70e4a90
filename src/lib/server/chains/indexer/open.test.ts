import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openIndex } from './open.ts';

it('makes the tables of the index once, and opens them again', async () => {
	const dataDir = mkdtempSync(join(tmpdir(), 'komodeck-index-'));
	try {
		for (let time = 0; time < 2; time++) {
			const index = await openIndex({ dataDir });
			expect(await index.selectFrom('ix_chains').selectAll().execute()).toEqual([]);
			await index.close();
		}
	} finally {
		rmSync(dataDir, { recursive: true, force: true });
	}
});
