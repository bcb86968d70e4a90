/** A server over a database whose default transaction isolation is stricter. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { describeOnPostgres } from '../../support/database.ts';
import { configOfNowhere, startProduct } from '../../support/product.ts';
import { signIn } from '../../support/productClient.ts';

const folder = mkdtempSync(join(tmpdir(), 'komodeck-isolation-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Enough transactions to conflict with each other. */
const AT_ONCE = 30;

describeOnPostgres('a server whose database is set to serializable transactions', (database) => {
	test('carries out what members and scripts do at once', { timeout: 60_000 }, async () => {
		const { dataDir, url } = database.options;
		const name = sql.id(new URL(url!).pathname.slice(1));
		await sql`alter database ${name} set default_transaction_isolation = 'serializable'`.execute(
			database.db
		);
		const product = await startProduct({
			dataDir,
			databaseUrl: url,
			config: configOfNowhere(folder)
		});
		try {
			const { cookie, token } = await signIn(product.url);
			const made = await Promise.all(
				Array.from({ length: AT_ONCE }, async (_, at) => {
					const answer = await fetch(`${product.url}/account?/createToken`, {
						method: 'POST',
						headers: {
							origin: product.url,
							cookie,
							accept: 'application/json',
							'x-sveltekit-action': 'true'
						},
						body: new URLSearchParams({ name: `t${at}`, role: 'admin', expires: '90' })
					});
					await answer.text();
					return answer.status;
				})
			);
			expect(made).toEqual(Array(AT_ONCE).fill(200));
			const called = await Promise.all(
				Array.from({ length: AT_ONCE }, async () => {
					const answer = await fetch(`${product.url}/api/rpc/ALPHA`, {
						method: 'POST',
						headers: { authorization: `Bearer ${token}` },
						body: JSON.stringify({ method: 'getnewaddress', params: [] })
					});
					return (await answer.text()).replace(/.*"message":"([^"]*)".*/s, '$1');
				})
			);
			// There is no daemon; Komodeck itself did its part.
			expect([...new Set(called)]).toEqual([expect.stringContaining('address of ALPHA')]);
		} finally {
			await product.stop();
		}
	});
});
