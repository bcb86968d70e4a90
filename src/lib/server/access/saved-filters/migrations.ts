import type { Kysely } from 'kysely';
import type { Migration } from '../../platform/database/migrate.ts';

async function savedFilters(db: Kysely<unknown>): Promise<void> {
	await db.schema
		.createTable('saved_filters')
		.addColumn('account_id', 'text', (c) =>
			c.notNull().references('accounts.id').onDelete('cascade')
		)
		.addColumn('list', 'text', (c) => c.notNull())
		.addColumn('name', 'text', (c) => c.notNull())
		.addColumn('query', 'text', (c) => c.notNull())
		.addColumn('created_at', 'bigint', (c) => c.notNull())
		.addPrimaryKeyConstraint('saved_filters_key', ['account_id', 'list', 'name'])
		.execute();
}

/** The schema of saved filters. */
export const migrations: Readonly<Record<string, Migration>> = {
	'240_saved_filters': { up: savedFilters }
};
