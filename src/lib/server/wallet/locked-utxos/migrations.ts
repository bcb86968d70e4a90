import { sql, type Kysely } from 'kysely';
import type { Migration } from '../../platform/database/migrate.ts';

/**
 * One table for all kinds of drafts, so that its primary key keeps two drafts from locking the same output.
 */
async function lockedUtxos(db: Kysely<unknown>): Promise<void> {
	await db.schema
		.createTable('locked_utxos')
		.addColumn('chain', 'text', (c) => c.notNull())
		.addColumn('txid', 'text', (c) => c.notNull())
		.addColumn('vout', 'bigint', (c) => c.notNull())
		.addColumn('kind', 'text', (c) => c.notNull())
		.addColumn('holder', 'text', (c) => c.notNull())
		.addColumn('until', 'bigint', (c) => c.notNull())
		.addPrimaryKeyConstraint('locked_utxos_key', ['chain', 'txid', 'vout'])
		.execute();
	await db.schema
		.createIndex('locked_utxos_by_holder')
		.on('locked_utxos')
		.columns(['holder'])
		.execute();
	await sql`insert into locked_utxos (chain, txid, vout, kind, holder, until)
		select chain, txid, vout, 'send', send, until from reserved_outputs`.execute(db);
	await sql`insert into locked_utxos (chain, txid, vout, kind, holder, until)
		select chain, txid, vout, 'migration', migration, until from burn_outputs as b
		where not exists (select 1 from reserved_outputs as r
			where r.chain = b.chain and r.txid = b.txid and r.vout = b.vout)`.execute(db);
	await db.schema.dropTable('reserved_outputs').execute();
	await db.schema.dropTable('burn_outputs').execute();
}

export const migrations: Readonly<Record<string, Migration>> = {
	'202_locked_utxos': { up: lockedUtxos }
};
