/** What servers over one PostgreSQL database keep outside of it, each in a data folder of its own. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { openRecord } from '#lib/server/platform/audit-trail/record.ts';
import { describeOnPostgres } from '../../support/database.ts';
import { authOver } from '../../support/members.ts';
import { configOfNowhere, startProduct } from '../../support/product.ts';

const KEY = 'the key that both servers were given';
const folder = mkdtempSync(join(tmpdir(), 'komodeck-copies-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describeOnPostgres('a server with a data folder of its own', (database) => {
	test('soon copies there what another server appended to the audit log', async () => {
		const dataDir = join(folder, 'data');
		const server = await startProduct({
			dataDir,
			databaseUrl: database.options.url,
			config: configOfNowhere(folder),
			env: { KOMODECK_SECRET_KEY: KEY }
		});
		const copyReachesTip = () =>
			vi.waitFor(
				async () => {
					const tip = await database.db
						.selectFrom('audit_tip')
						.select('seq')
						.executeTakeFirstOrThrow();
					expect(openRecord(dataDir).read().end?.seq).toBe(Number(tip.seq));
				},
				{ timeout: 20_000, interval: 100 }
			);
		try {
			const other = await authOver(database, { secretKey: KEY });
			await copyReachesTip();
			await other.audit.append({ actor: 'a test', action: 'rpc.test' });
			await copyReachesTip();
			await other.audit.stop();
		} finally {
			await server.stop();
		}
	});
});
