import type { Kysely } from 'kysely';
import type { Migration } from '../../platform/database/migrate.ts';

async function drafts(db: Kysely<unknown>): Promise<void> {
	let table = db.schema.createTable('token_drafts').addColumn('id', 'text', (c) => c.primaryKey());
	for (const name of [
		...['chain', 'kind', 'name', 'supply', 'description', 'data'],
		...['created_by', 'written_by']
	]) {
		table = table.addColumn(name, 'text', (c) => c.notNull());
	}
	await table
		.addColumn('created_at', 'bigint', (c) => c.notNull())
		.addColumn('written_at', 'bigint', (c) => c.notNull())
		.execute();
	await db.schema
		.createIndex('token_drafts_by_chain')
		.on('token_drafts')
		.columns(['chain', 'written_at'])
		.execute();
}

/** Supplies of existing drafts were typed in coins, that is with eight decimals. */
async function decimals(db: Kysely<unknown>): Promise<void> {
	await db.schema
		.alterTable('token_drafts')
		.addColumn('decimals', 'text', (c) => c.notNull().defaultTo('8'))
		.execute();
}

/** The schema of drafts. */
export const migrations: Readonly<Record<string, Migration>> = {
	'092_token_drafts': { up: drafts },
	'250_draft_decimals': { up: decimals }
};
