/** Rows in every state with the words of releases before the glossary, read by a release with the new words. */
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createAudit } from '#lib/server/access/audit/audit.ts';
import { MigrationStore } from '#lib/server/cross-chain/migration/store.ts';
import { STATES } from '#lib/server/cross-chain/migration/states.ts';
import type { Db } from '#lib/server/database.ts';
import { locks } from '#lib/server/locks.ts';
import { createBatchTransferStore } from '#lib/server/wallet/batch-transfers/store.ts';
import { createStore } from '#lib/server/wallet/transactions/store.ts';
import { describeOldDatabase } from '../../support/oldDatabase.ts';

const TXID = 'ab'.repeat(32);
const REVIEW = '{"review":{"txid":"","inputs":[],"outputs":[]},"warnings":[]}';

/** States under their former names. */
const TRANSACTIONS = {
	built: 'reviewed',
	sending: 'broadcasting',
	unknown: 'unknown',
	sent: 'broadcast',
	mined: 'confirmed',
	refused: 'rejected',
	expired: 'discarded'
} as const;
const ITEMS = {
	waiting: 'waiting',
	underway: 'underway',
	sent: 'broadcast',
	failed: 'failed'
} as const;
const MIGRATIONS: Readonly<Record<string, string>> = {
	...Object.fromEntries(STATES.filter((one) => one !== 'discarded').map((one) => [one, one])),
	abandoned: 'discarded'
};

async function insertOld(db: Db): Promise<void> {
	for (const state of Object.keys(TRANSACTIONS)) {
		await sql`insert into transactions (id, kind, chain, daemon, pubkey, txid, hex, state, request, review,
				created_by, created_at, expires_at)
			values (${state}, 'token-create', 'ALPHA', 'ALPHA', '02', ${TXID}, '00', ${state}, '{}', ${REVIEW},
				'ada', 1, 1)`.execute(db);
	}
	await sql`insert into batch_transfers (id, chain, tokenid, daemon, pubkey, state, created_by, created_at)
		values ('batch', 'ALPHA', ${TXID}, 'ALPHA', '02', 'running', 'ada', 1)`.execute(db);
	for (const [at, state] of Object.keys(ITEMS).entries()) {
		await sql`insert into batch_transfer_items (batch_transfer, n, recipient, units, state)
			values ('batch', ${at + 1}, '02', 1, ${state})`.execute(db);
	}
	for (const [at, state] of Object.keys(MIGRATIONS).entries()) {
		await sql`insert into migrations (id, route, source, destination, source_daemon, destination_daemon,
				kmd_daemon, ccid, address, amount, import_scan_from, created_by, policy, state, fence,
				state_since, created_at, updated_at, due_at)
			values (${state}, 'backup', 'ALPHA', 'BETA', 'ALPHA', 'BETA', 'KMD', 777, 'R', 1, 0, 'ada', 'ask',
				${state}, ${at}, 1, 1, 1, 1)`.execute(db);
	}
	await sql`insert into migration_events (migration, seq, time, step, message, detail)
		values ('abandoned', 1, 1, 'burn', '{"code":"migration.abandoned","params":{"actor":"ada"}}', '{}')`.execute(
		db
	);
	await sql`insert into activations (id, node, coin, method, params, state, attempt, begun_by, fence,
			attempt_since, state_since, created_at, updated_at)
		values ('one', 'mm2', 'KMD', 'task::enable_utxo', '{}', 'running', 1, 'ada', 7, 1, 1, 1, 1)`.execute(
		db
	);
}

describeOldDatabase('240_', insertOld, (db) => {
	const audit = () => createAudit(db(), new Uint8Array(32));

	test('calls every state of a transaction by the word of now', async () => {
		const sends = await createStore(db(), locks).list();
		expect(Object.fromEntries(sends.map(({ id, state }) => [id, state]))).toEqual(TRANSACTIONS);
	});

	test('calls every state of a transfer of a batch by the word of now', async () => {
		const lines = await createBatchTransferStore(db(), audit(), () => 1).lines('batch');
		expect(lines.map(({ state }) => state)).toEqual(Object.values(ITEMS));
	});

	test('calls every state of a migration by the word of now, and keeps its path', async () => {
		const rows = await new MigrationStore({ db: db(), locks, audit: audit() }).list();
		expect(Object.fromEntries(rows.map(({ id, state }) => [id, state]))).toEqual(MIGRATIONS);
		expect(new Set(rows.map(({ path }) => path))).toEqual(new Set(['backup']));
	});

	test('calls the event of a migration that was given up by the word of now', async () => {
		const { message } = await db()
			.selectFrom('migration_events')
			.select('message')
			.executeTakeFirstOrThrow();
		expect(JSON.parse(message)).toEqual({
			code: 'migration.discarded',
			params: { actor: 'ada' }
		});
	});

	test('goes on counting the fencing tokens where it was', async () => {
		const { leases } = new MigrationStore({ db: db(), locks, audit: audit() });
		const last = Object.keys(MIGRATIONS).indexOf('abandoned');
		expect((await leases.take('abandoned', 1_000))?.fencingToken).toBe(BigInt(last) + 1n);
		const kept = await db().selectFrom('activations').select('fencing_token').execute();
		expect(kept).toEqual([{ fencing_token: 7n }]);
	});
});
