import { sql, type Kysely } from 'kysely';
import type { Migration } from '../../platform/database/migrate.ts';

async function approvals(db: Kysely<unknown>): Promise<void> {
	await db.schema
		.createTable('approval_requests')
		.addColumn('id', 'text', (c) => c.primaryKey())
		.addColumn('kind', 'text', (c) => c.notNull())
		.addColumn('subject', 'text')
		.addColumn('account', 'text', (c) => c.notNull())
		.addColumn('author', 'text', (c) => c.notNull())
		.addColumn('token', 'text')
		.addColumn('wallet', 'text', (c) => c.notNull())
		.addColumn('chain', 'text', (c) => c.notNull())
		.addColumn('hex', 'text', (c) => c.notNull())
		.addColumn('hash', 'text', (c) => c.notNull())
		.addColumn('payouts', 'text')
		.addColumn('facts', 'text', (c) => c.notNull())
		.addColumn('terms', 'text', (c) => c.notNull())
		.addColumn('state', 'text', (c) => c.notNull())
		.addColumn('open_key', 'text', (c) => c.unique())
		.addColumn('created_at', 'bigint', (c) => c.notNull())
		.addColumn('expires_at', 'bigint', (c) => c.notNull())
		.addColumn('closed_at', 'bigint')
		.addColumn('closed_by', 'text')
		.addColumn('reason', 'text')
		.execute();
	await db.schema
		.createIndex('approval_requests_by_state')
		.on('approval_requests')
		.columns(['state', 'created_at'])
		.execute();
	await db.schema
		.createIndex('approval_requests_by_subject')
		.on('approval_requests')
		.columns(['subject', 'state'])
		.execute();
	// The key makes each member count once, even with concurrent requests.
	await db.schema
		.createTable('approval_votes')
		.addColumn('request', 'text', (c) => c.notNull())
		.addColumn('account', 'text', (c) => c.notNull())
		.addColumn('name', 'text', (c) => c.notNull())
		.addColumn('at', 'bigint', (c) => c.notNull())
		.addPrimaryKeyConstraint('approval_votes_key', ['request', 'account'])
		.execute();
}

/**
 * Requests from before the audit log recorded them cannot be verified against it: they are voided, so that
 * nothing is sent on them.
 */
async function recorded(db: Kysely<unknown>): Promise<void> {
	await sql`
		update approval_requests
		set state = 'voided', open_key = null, closed_at = created_at, closed_by = 'policies',
			reason = 'the audit log did not record it'
		where state = 'open'
	`.execute(db);
}

/** Lists sort by time; those of one member filter by account. */
async function byTime(db: Kysely<unknown>): Promise<void> {
	await db.schema
		.createIndex('approval_requests_by_time')
		.on('approval_requests')
		.columns(['created_at', 'id'])
		.execute();
	await db.schema
		.createIndex('approval_requests_by_account')
		.on('approval_requests')
		.columns(['account', 'created_at', 'id'])
		.execute();
}

/** The schema of approvals. */
export const migrations: Readonly<Record<string, Migration>> = {
	'341_approvals': { up: approvals },
	'391_approvals_recorded': { up: recorded },
	'410_approvals_by_time': { up: byTime }
};
