import type { Kysely } from 'kysely';
import type { Migration } from '../../platform/database/migrate.ts';

async function series(db: Kysely<unknown>): Promise<void> {
	await db.schema
		.createTable('token_series')
		.addColumn('id', 'text', (c) => c.primaryKey())
		.addColumn('chain', 'text', (c) => c.notNull())
		.addColumn('tokenid', 'text', (c) => c.notNull())
		.addColumn('daemon', 'text', (c) => c.notNull())
		.addColumn('pubkey', 'text', (c) => c.notNull())
		.addColumn('state', 'text', (c) => c.notNull())
		.addColumn('problem', 'text')
		.addColumn('created_by', 'text', (c) => c.notNull())
		.addColumn('confirmed_by', 'text')
		.addColumn('created_at', 'bigint', (c) => c.notNull())
		.addColumn('confirmed_at', 'bigint')
		.addColumn('ended_at', 'bigint')
		.execute();
	await db.schema
		.createIndex('token_series_by_token')
		.on('token_series')
		.columns(['chain', 'tokenid', 'created_at'])
		.execute();
	await db.schema.createIndex('token_series_by_state').on('token_series').column('state').execute();
	await db.schema
		.createTable('token_series_rows')
		.addColumn('series', 'text', (c) =>
			c.notNull().references('token_series.id').onDelete('cascade')
		)
		.addColumn('n', 'bigint', (c) => c.notNull())
		.addColumn('recipient', 'text', (c) => c.notNull())
		.addColumn('units', 'bigint', (c) => c.notNull())
		.addColumn('state', 'text', (c) => c.notNull())
		.addColumn('send', 'text', (c) => c.unique())
		.addColumn('problem', 'text')
		.addPrimaryKeyConstraint('token_series_rows_key', ['series', 'n'])
		.execute();
}

/** The schema of transfers to many recipients. */
export const migrations: Readonly<Record<string, Migration>> = {
	'091_token_series': { up: series }
};
