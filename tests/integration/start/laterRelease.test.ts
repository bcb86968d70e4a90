/**
 * A start over a database that a later release has changed, as during an upgrade of several servers, or after
 * going back.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { describeOnBothDatabases } from '../../support/database.ts';
import { configOfNowhere, startProduct } from '../../support/product.ts';

const folder = mkdtempSync(join(tmpdir(), 'komodeck-later-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describeOnBothDatabases('a server that is older than its database', (database) => {
	test('serves, and says which steps it does not know', { timeout: 60_000 }, async () => {
		const config = configOfNowhere(folder);
		await database.db
			.insertInto('schema_migrations')
			.values({ name: '999_of_later', applied_at: 0n })
			.execute();
		const { dataDir, url } = database.options;
		const product = await startProduct({ dataDir, databaseUrl: url, config });
		expect((await fetch(`${product.url}/healthz`)).status).toBe(200);
		await product.stop();
		// The steps of its own index, which PostgreSQL has in the same database, do not count.
		expect(product.log()).toContain('changed by a later release (999_of_later)');
	});
});
