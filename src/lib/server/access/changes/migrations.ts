import type { Kysely } from 'kysely';
import type { Migration } from '../../platform/database/migrate.ts';

async function proposals(db: Kysely<unknown>): Promise<void> {
	await db.schema
		.createTable('change_proposals')
		.addColumn('id', 'text', (c) => c.primaryKey())
		.addColumn('code', 'text', (c) => c.notNull())
		.addColumn('params', 'text', (c) => c.notNull())
		.addColumn('facts', 'text', (c) => c.notNull())
		.addColumn('base', 'text', (c) => c.notNull())
		.addColumn('account', 'text', (c) => c.notNull())
		.addColumn('author', 'text', (c) => c.notNull())
		.addColumn('needed', 'bigint', (c) => c.notNull())
		.addColumn('state', 'text', (c) => c.notNull())
		.addColumn('open_key', 'text', (c) => c.unique())
		.addColumn('created_at', 'bigint', (c) => c.notNull())
		.addColumn('expires_at', 'bigint', (c) => c.notNull())
		.addColumn('closed_at', 'bigint')
		.addColumn('closed_by', 'text')
		.addColumn('reason', 'text')
		.execute();
	await db.schema
		.createIndex('change_proposals_by_state')
		.on('change_proposals')
		.columns(['state', 'created_at'])
		.execute();
	// The key makes each admin count once, even with concurrent requests.
	await db.schema
		.createTable('change_votes')
		.addColumn('proposal', 'text', (c) => c.notNull())
		.addColumn('account', 'text', (c) => c.notNull())
		.addColumn('name', 'text', (c) => c.notNull())
		.addColumn('at', 'bigint', (c) => c.notNull())
		.addPrimaryKeyConstraint('change_votes_key', ['proposal', 'account'])
		.execute();
}

/** The schema of changes that other admins approve. */
export const migrations: Readonly<Record<string, Migration>> = {
	'390_change_proposals': { up: proposals }
};
