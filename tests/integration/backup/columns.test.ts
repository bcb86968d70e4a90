/** Rows of a release with former words in some columns, read by a release with the glossary's words. */
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Db } from '#lib/server/database.ts';
import { locks } from '#lib/server/locks.ts';
import { createStore } from '#lib/server/wallet/transactions/store.ts';
import { describeOldDatabase } from '../../support/oldDatabase.ts';

const TXID = 'ab'.repeat(32);
const REVIEW = '{"review":{"txid":"","inputs":[],"outputs":[]},"warnings":[]}';
const REJECTION = { code: 'daemon.refused', params: { response: 'dust' } };

async function insertOld(db: Db): Promise<void> {
	await sql`insert into transactions (id, kind, chain, daemon, pubkey, txid, hex, state, request, review,
			created_by, created_at, expires_at, sent_at, refusal, refused_height)
		values ('one', 'token-create', 'ALPHA', 'ALPHA', '02', ${TXID}, '00', 'rejected', '{}', ${REVIEW},
			'ada', 1, 1, 5, ${JSON.stringify(REJECTION)}, 7)`.execute(db);
	await sql`insert into notary_approvals (burn_txid, txid, standing, given_at)
		values (${TXID}, 'cd', 'gone', 1)`.execute(db);
	await sql`insert into audit_checkpoints (number, first_seq, last_seq, rows, last_hash, first_time, last_time,
			previous, sealed_at, mac)
		values (1, 1, 2, 2, 'aa', 1, 2, '', 3, 'bb')`.execute(db);
	await sql`update audit_tip set sealed = 2`.execute(db);
}

describeOldDatabase('290_', insertOld, (db) => {
	test('says of a rejected transaction when it went out and why it was rejected, and lets a server of the release before write the tip of then', async () => {
		expect(await createStore(db(), locks).get('one')).toMatchObject({
			broadcastAt: 5,
			rejection: REJECTION
		});
		await sql`update transactions set rejected_height = 9 where id = 'one'`.execute(db());
		const row = await db().selectFrom('transactions').selectAll().executeTakeFirst();
		expect(row).toMatchObject({ rejected_height: 9n });
	});

	test('keeps what is known of a notary approval', async () => {
		const rows = await db().selectFrom('notary_approvals').select('status').execute();
		expect(rows).toEqual([{ status: 'gone' }]);
	});

	test('keeps how far the log is under checkpoints and when those were made, and refuses a change', async () => {
		const tip = await db().selectFrom('audit_tip').select('checkpointed').execute();
		expect(tip).toEqual([{ checkpointed: 2n }]);
		const made = await db().selectFrom('audit_checkpoints').select('created_at').execute();
		expect(made).toEqual([{ created_at: 3n }]);
		for (const change of [
			db().updateTable('audit_checkpoints').set({ created_at: 4n, dropped_at: 5n }),
			db().updateTable('audit_checkpoints').set({ mac: 'other', dropped_at: 5n })
		]) {
			await expect(change.execute()).rejects.toThrow(/checkpoint does not change/);
		}
	});
});
