/** The page of the audit log while the copy outside of the database cannot be written. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { signIn } from '../support/productClient.ts';
import { configOfNowhere, startProduct } from '../support/product.ts';

const folder = mkdtempSync(join(tmpdir(), 'komodeck-copy-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('verifies the log all the same, and names the file that is in the way', async () => {
	const dataDir = join(folder, 'data');
	const product = await startProduct({ dataDir, config: configOfNowhere(folder) });
	try {
		const { cookie } = await signIn(product.url);
		const end = join(dataDir, 'audit', 'end.json');
		// Written after the event of the login, which does not wait for it.
		await vi.waitFor(() => readFileSync(end));
		writeFileSync(end, 'x');
		const answer = await fetch(`${product.url}/admin/audit?/verify`, {
			method: 'POST',
			headers: { origin: product.url, accept: 'text/html', cookie },
			body: new URLSearchParams()
		});
		const text = await answer.text();
		expect(answer.status).toBe(200);
		expect(text).toContain(`The last line of ${end} cannot be read`);
		expect(text).toContain('The file audit/end.json in the data folder');
		expect(readFileSync(end, 'utf8')).toBe('x');
	} finally {
		await product.stop();
	}
});
