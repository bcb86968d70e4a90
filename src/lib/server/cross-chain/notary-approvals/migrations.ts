import type { Kysely } from 'kysely';
import type { Migration } from '../../platform/database/migrate.ts';

async function approvals(db: Kysely<unknown>): Promise<void> {
	await db.schema
		.createTable('burn_approvals')
		.addColumn('burn_txid', 'text', (c) => c.notNull())
		.addColumn('txid', 'text', (c) => c.notNull())
		.addColumn('standing', 'text', (c) => c.notNull())
		.addColumn('notary', 'text')
		.addColumn('height', 'bigint')
		.addColumn('blockhash', 'text')
		.addColumn('given_by', 'text')
		.addColumn('given_at', 'bigint', (c) => c.notNull())
		.addColumn('checked_at', 'bigint')
		.addPrimaryKeyConstraint('burn_approvals_key', ['burn_txid', 'txid'])
		.execute();
	// For the list of burns that wait for approvals.
	await db.schema
		.createIndex('migrations_by_state')
		.on('migrations')
		.columns(['state', 'created_at', 'id'])
		.execute();
}

/** Schema migrations of notary approvals. */
export const migrations: Record<string, Migration> = {
	'060_burn_approvals': { up: approvals }
};
