/** Pages that one address asks for without end, whatever they are called. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { configOfNowhere, startProduct, type Product } from '../../support/product.ts';

const folder = mkdtempSync(join(tmpdir(), 'komodeck-flood-'));
let product: Product | undefined;
/** Of one member within ten seconds; an address has five times as many. */
const REQUESTS = 4;

beforeAll(async () => {
	product = await startProduct({
		dataDir: folder,
		config: configOfNowhere(folder),
		env: { KOMODECK_REQUESTS: String(REQUESTS) }
	});
});
afterAll(async () => {
	await product?.stop();
	rmSync(folder, { recursive: true, force: true });
});

test('pages that one address asks for end at its budget, also where there is no such page', async () => {
	for (const path of ['/_app/remote/x/y', '/login', '/nothing/here', '/%ff', '/_app/remote/x']) {
		const statuses: number[] = [];
		for (let n = 0; n <= 5 * REQUESTS; n += 1) {
			const answer = await fetch(`${product!.url}${path}`, {
				headers: { accept: 'text/html' },
				redirect: 'manual'
			});
			await answer.body?.cancel();
			statuses.push(answer.status);
		}
		expect(statuses, path).toContain(429);
	}
});
