/** A database that becomes unavailable while a starting server asks it whether there is an account. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, expect, test, vi } from 'vitest';
import { describeOnPostgres } from '../../support/database.ts';
import { configOfNowhere, startProduct } from '../../support/product.ts';

const folder = mkdtempSync(join(tmpdir(), 'komodeck-goes-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describeOnPostgres('a server whose database goes as it begins to serve', (database) => {
	test(
		'goes on, and tells the link to the first account once the database is back',
		{ timeout: 60_000 },
		async () => {
			const { db } = database;
			// A sequence never goes back, even if a connection breaks: only the first insert fails.
			await sql`create sequence inserts`.execute(db);
			await sql`
				create function lose_first() returns trigger language plpgsql as $$
				begin
					if nextval('inserts') = 1 then perform pg_terminate_backend(pg_backend_pid()); end if;
					return new;
				end $$`.execute(db);
			await sql`
				create trigger lose_first before insert on setup_links
				for each row execute function lose_first()`.execute(db);
			const config = configOfNowhere(folder);
			const { dataDir, url } = database.options;
			const nobody = { KOMODECK_ADMIN_USER: '', KOMODECK_ADMIN_PASSWORD: '' };
			const product = await startProduct({ dataDir, databaseUrl: url, config, env: nobody });
			try {
				await vi.waitFor(() => expect(product.log()).toContain('Create the first account: '), {
					timeout: 20_000
				});
				expect(product.isRunning()).toBe(true);
			} finally {
				await product.stop();
			}
		}
	);
});
