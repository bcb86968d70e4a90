/** A data folder shared by several containers, in each of which the process has the same pid. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, expect, test } from 'vitest';
import { closeToOthers } from '#lib/server/platform/disk/ownerOnly.ts';

const folder = mkdtempSync(join(tmpdir(), 'komodeck-shared-'));
afterAll(() => rmSync(folder, { recursive: true }));

const RECORD = new URL('../../../src/lib/server/platform/audit-trail/record.ts', import.meta.url);

/**
 * Writes the outside copy of the tip repeatedly.
 * @returns null, or the error. Threads share one pid, too.
 */
const writing = (): Promise<string | null> =>
	new Promise((resolve) => {
		const code = `import(${JSON.stringify(RECORD.href)}).then(({ openRecord }) => {
			const record = openRecord(${JSON.stringify(folder)});
			for (let seq = 0; seq < 2000; seq++) record.setEnd({ seq, hash: 'a', at: 1, mac: 'b' });
		})`;
		const worker = new Worker(code, { eval: true });
		worker.once('error', (error) => resolve(String(error)));
		worker.once('exit', () => resolve(null));
	});

test('is written by several at once, and closed to others meanwhile', async () => {
	let over = false;
	const all = Promise.all([writing(), writing()]).finally(() => (over = true));
	while (!over) {
		closeToOthers(folder);
		await new Promise((done) => setImmediate(done));
	}
	expect(await all).toEqual([null, null]);
	expect(readdirSync(join(folder, 'audit'))).toEqual(['end.json']);
});
