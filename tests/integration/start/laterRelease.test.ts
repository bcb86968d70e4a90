/** A start over a database that a later release has changed, as after going back. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openIndex } from '#lib/server/chains/indexer/open.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { configOfNowhere, saidByEnded } from '../../support/product.ts';

const folder = mkdtempSync(join(tmpdir(), 'komodeck-later-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describeOnBothDatabases('a server that is older than its database', (database) => {
	test(
		'does not start where only the index is of a later release, and names the step that it does not know',
		{ timeout: 60_000 },
		async () => {
			const { dataDir, url } = database.options;
			const options = { dataDir, databaseUrl: url, config: configOfNowhere(folder) };
			const index = await openIndex(database.options);
			const name = 'index_999_of_later';
			await index.insertInto('schema_migrations').values({ name, applied_at: 0n }).execute();
			const said = await saidByEnded(options);
			await index.deleteFrom('schema_migrations').where('name', '=', name).execute();
			await index.close();
			expect(said).toContain(`(schema step ${name})`);
			expect(said).toContain(url === undefined ? 'index.sqlite' : 'restore the last backup');
			expect(said).not.toContain(' at ');
		}
	);

	test(
		'does not start, and names the step that it does not know',
		{ timeout: 60_000 },
		async () => {
			const { dataDir, url } = database.options;
			const options = { dataDir, databaseUrl: url, config: configOfNowhere(folder) };
			await database.db
				.insertInto('schema_migrations')
				.values({ name: '999_of_later', applied_at: 0n })
				.execute();
			const said = await saidByEnded(options);
			expect(said).toContain('A later release has changed the database (schema step 999_of_later)');
			expect(said).not.toContain(' at ');
		}
	);
});
