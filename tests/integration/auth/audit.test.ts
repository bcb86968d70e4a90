import { randomBytes } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { createAudit, type Audit } from '#lib/server/auth/audit.ts';
import type { Schema } from '#lib/server/db/schema.ts';
import { describeOnBothDatabases } from '../../support/database.ts';

describeOnBothDatabases('the audit log', (database) => {
	const key = randomBytes(32);
	let audit: Audit;

	/** What somebody with the database, but without the key, can do. */
	async function tamper(act: (db: Kysely<Schema>) => Promise<unknown>): Promise<void> {
		const { db } = database;
		if (db.dialect === 'postgres') await sql`alter table audit disable trigger all`.execute(db);
		else {
			await sql`drop trigger if exists audit_no_update`.execute(db);
			await sql`drop trigger if exists audit_no_delete`.execute(db);
		}
		await act(db);
	}

	beforeEach(async () => {
		audit = createAudit(database.db, key);
		await tamper(async (db) => {
			await db.deleteFrom('audit').execute();
			await db.updateTable('audit_head').set({ seq: 0, hash: '' }).execute();
		});
		for (let i = 1; i <= 5; i += 1) {
			await audit.append({ actor: `actor-${i}`, action: 'test', target: 't', detail: { i } });
		}
	});

	test('is whole as it was written', async () => {
		expect(await audit.verify()).toEqual({ ok: true, rows: 5 });
		expect((await audit.list({ limit: 2 })).map(({ actor }) => actor)).toEqual([
			'actor-5',
			'actor-4'
		]);
		expect((await audit.list({ before: 3 })).map(({ seq }) => seq)).toEqual([2, 1]);
		expect(await audit.list({ actor: 'actor-3' })).toMatchObject([{ seq: 3, detail: { i: 3 } }]);
	});

	test('stays one chain when several connections write at once', async () => {
		const other = createAudit(await database.openAnother(), key);
		await Promise.all(
			Array.from({ length: 20 }, (_, i) =>
				(i % 2 ? audit : other).append({ actor: 'many', action: `a${i}` })
			)
		);
		expect(await audit.verify()).toEqual({ ok: true, rows: 25 });
	});

	test('a row is there exactly when its transaction is', async () => {
		await expect(
			database.db.transaction().execute(async (trx) => {
				await audit.append({ actor: 'x', action: 'undone' }, trx);
				throw new Error('changed our mind');
			})
		).rejects.toThrow('changed our mind');
		expect(await audit.verify()).toEqual({ ok: true, rows: 5 });
	});

	test.each(['actor', 'action', 'target', 'detail', 'hash', 'prev_hash'] as const)(
		'a changed %s is found',
		async (column) => {
			await tamper((db) =>
				db
					.updateTable('audit')
					.set({ [column]: 'else' })
					.where('seq', '=', 3n)
					.execute()
			);
			expect(await audit.verify()).toEqual({ ok: false, seq: 3, reason: 'changed' });
		}
	);

	test('a changed time is found', async () => {
		await tamper((db) => db.updateTable('audit').set({ time: 1 }).where('seq', '=', 5n).execute());
		expect(await audit.verify()).toEqual({ ok: false, seq: 5, reason: 'changed' });
	});

	test('text moved from one column to the next is found', async () => {
		await tamper((db) =>
			db
				.updateTable('audit')
				.set({ actor: 'actor-2test', action: '' })
				.where('seq', '=', 2n)
				.execute()
		);
		expect(await audit.verify()).toMatchObject({ ok: false, seq: 2 });
	});

	test('a removed row is found, in the middle, at the beginning and at the end', async () => {
		for (const [seq, reason] of [
			[5, 'cut-off'],
			[3, 'missing'],
			[1, 'missing']
		] as const) {
			await tamper((db) => db.deleteFrom('audit').where('seq', '=', BigInt(seq)).execute());
			expect(await audit.verify()).toEqual({ ok: false, seq, reason });
		}
	});

	test('rows that changed places are found', async () => {
		await tamper(async (db) => {
			await db.updateTable('audit').set({ seq: 99 }).where('seq', '=', 2n).execute();
			await db.updateTable('audit').set({ seq: 2 }).where('seq', '=', 3n).execute();
			await db.updateTable('audit').set({ seq: 3 }).where('seq', '=', 99n).execute();
		});
		expect(await audit.verify()).toMatchObject({ ok: false, seq: 2, reason: 'changed' });
	});

	test('a chain written anew under another key is found', async () => {
		await tamper(async (db) => {
			await db.deleteFrom('audit').execute();
			await db.updateTable('audit_head').set({ seq: 0, hash: '' }).execute();
		});
		const forger = createAudit(database.db, randomBytes(32));
		await forger.append({ actor: 'nobody', action: 'nothing happened' });
		expect(await forger.verify()).toEqual({ ok: true, rows: 1 });
		expect(await audit.verify()).toEqual({ ok: false, seq: 1, reason: 'changed' });
	});

	test('keeps money whole and secrets out', async () => {
		await audit.append({
			actor: 'x',
			action: 'test',
			detail: {
				satoshi: 9_007_199_254_740_993n,
				tokenid: 'kept',
				password: 'canary-1',
				walletPassphrase: 'canary-2',
				nested: { privkey: 'canary-3', private_key: 'canary-4', list: [{ wif: 'canary-5' }] },
				clientSecret: 'canary-6',
				apiToken: 'canary-7',
				cookie: 'canary-8',
				authorization: 'canary-9'
			}
		});
		const [row] = await audit.list({ limit: 1 });
		expect(row?.detail).toEqual({
			satoshi: '9007199254740993',
			tokenid: 'kept',
			nested: { list: [{}] }
		});
		const raw = await database.db.selectFrom('audit').select('detail').execute();
		expect(JSON.stringify(raw)).not.toContain('canary');
		expect(await audit.verify()).toMatchObject({ ok: true });
	});
});

describeOnBothDatabases('the audit table', (database) => {
	test('takes no change and no removal', async () => {
		const audit = createAudit(database.db, randomBytes(32));
		await audit.append({ actor: 'x', action: 'y' });
		await expect(database.db.updateTable('audit').set({ actor: 'z' }).execute()).rejects.toThrow(
			/append-only/
		);
		await expect(database.db.deleteFrom('audit').execute()).rejects.toThrow(/append-only/);
		expect(await audit.verify()).toEqual({ ok: true, rows: 1 });
	});
});
