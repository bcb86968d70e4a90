/** Database rows of pending logins: callers without an account cannot fill the database. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnSqlite } from '../../support/database.ts';
import { launchProduct, type Product } from '../../support/product.ts';

describeOnSqlite('logins that begin', (database) => {
	let product: Product;
	beforeAll(async () => {
		product = await launchProduct({
			env: { KOMODECK_DATA: database.dataDir, KOMODO_HOME: database.dataDir }
		});
	});
	afterAll(() => product.stop());

	it('from one address are too many after some hundred', async () => {
		const statuses: number[] = [];
		const headers = { origin: product.url, 'content-type': 'application/x-www-form-urlencoded' };
		for (let n = 0; n < 300; n += 1) {
			const body = 'purpose=login';
			const answer = await fetch(`${product.url}/login/passkey`, { method: 'POST', headers, body });
			await answer.arrayBuffer();
			statuses.push(answer.status);
			if (answer.status === 429) break;
		}
		expect(statuses.at(-1)).toBe(429);
		// As many as a whole office can start, and no more.
		const kept = await database.db.selectFrom('factor_challenges').select('id_hash').execute();
		expect(kept.length).toBeLessThanOrEqual(200);
		expect(kept.length).toBeGreaterThan(20);
	});
});
