import type { Kysely } from 'kysely';
import type { Migration } from '../../platform/database/migrate.ts';

async function accessRequests(db: Kysely<unknown>): Promise<void> {
	await db.schema
		.createTable('access_requests')
		.addColumn('id', 'text', (c) => c.primaryKey())
		.addColumn('account_id', 'text', (c) =>
			c.notNull().references('accounts.id').onDelete('cascade')
		)
		.addColumn('requested_right', 'text', (c) => c.notNull())
		.addColumn('path', 'text', (c) => c.notNull())
		.addColumn('asked_at', 'bigint', (c) => c.notNull())
		.addColumn('day', 'bigint', (c) => c.notNull())
		.addColumn('outcome', 'text')
		.addColumn('decided_by', 'text')
		.addColumn('decided_at', 'bigint')
		.execute();
	// The unique index makes two concurrent requests one.
	await db.schema
		.createIndex('access_requests_by_day')
		.unique()
		.on('access_requests')
		.columns(['account_id', 'requested_right', 'day'])
		.execute();
	await db.schema
		.createIndex('access_requests_by_outcome')
		.on('access_requests')
		.columns(['outcome', 'asked_at'])
		.execute();
}

/** The schema of requests for access. */
export const migrations: Readonly<Record<string, Migration>> = {
	'241_access_requests': { up: accessRequests }
};
