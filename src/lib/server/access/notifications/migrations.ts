import { sql, type Kysely } from 'kysely';
import type { Migration } from '../../platform/database/migrate.ts';

async function notices(db: Kysely<unknown>): Promise<void> {
	await db.schema
		.createTable('notices')
		.addColumn('id', 'text', (c) => c.primaryKey())
		.addColumn('account_id', 'text', (c) =>
			c.notNull().references('accounts.id').onDelete('cascade')
		)
		.addColumn('source', 'text', (c) => c.notNull())
		.addColumn('kind', 'text', (c) => c.notNull())
		.addColumn('message', 'text', (c) => c.notNull())
		.addColumn('path', 'text', (c) => c.notNull())
		.addColumn('bell', 'bigint', (c) => c.notNull())
		.addColumn('created_at', 'bigint', (c) => c.notNull())
		.addColumn('read_at', 'bigint')
		.execute();
	await db.schema
		.createIndex('notices_by_source')
		.unique()
		.on('notices')
		.columns(['account_id', 'source'])
		.execute();
	await db.schema
		.createIndex('notices_by_account')
		.on('notices')
		.columns(['account_id', 'created_at', 'id'])
		.execute();
	await db.schema.createIndex('notices_by_time').on('notices').column('created_at').execute();
	await db.schema
		.createTable('notice_inboxes')
		.addColumn('account_id', 'text', (c) =>
			c.primaryKey().references('accounts.id').onDelete('cascade')
		)
		.addColumn('unread', 'bigint', (c) => c.notNull())
		.addColumn('changed_at', 'bigint', (c) => c.notNull())
		.execute();
	await db.schema
		.createIndex('notice_inboxes_by_change')
		.on('notice_inboxes')
		.column('changed_at')
		.execute();
	await db.schema
		.createTable('notice_preferences')
		.addColumn('account_id', 'text', (c) =>
			c.notNull().references('accounts.id').onDelete('cascade')
		)
		.addColumn('kind', 'text', (c) => c.notNull())
		.addColumn('channel', 'text', (c) => c.notNull())
		.addColumn('chosen', 'bigint', (c) => c.notNull())
		.addPrimaryKeyConstraint('notice_preferences_key', ['account_id', 'kind', 'channel'])
		.execute();
	await db.schema
		.createTable('notice_settings')
		.addColumn('account_id', 'text', (c) =>
			c.primaryKey().references('accounts.id').onDelete('cascade')
		)
		.addColumn('email', 'text')
		.addColumn('pending_email', 'text')
		.addColumn('pending_hash', 'text')
		.addColumn('pending_until', 'bigint')
		.addColumn('links_sent', 'bigint', (c) => c.notNull().defaultTo(0))
		.addColumn('links_since', 'bigint')
		.addColumn('mails_sent', 'bigint', (c) => c.notNull().defaultTo(0))
		.addColumn('mails_since', 'bigint')
		.addColumn('push_details', 'bigint', (c) => c.notNull().defaultTo(0))
		.execute();
	await db.schema
		.createTable('push_subscriptions')
		.addColumn('id', 'text', (c) => c.primaryKey())
		.addColumn('account_id', 'text', (c) =>
			c.notNull().references('accounts.id').onDelete('cascade')
		)
		.addColumn('session', 'text', (c) => c.notNull())
		.addColumn('endpoint_hash', 'text', (c) => c.notNull().unique())
		.addColumn('subscription', 'text', (c) => c.notNull())
		.addColumn('created_at', 'bigint', (c) => c.notNull())
		.execute();
	await db.schema
		.createIndex('push_subscriptions_by_account')
		.on('push_subscriptions')
		.column('account_id')
		.execute();
	await db.schema
		.createTable('webhooks')
		.addColumn('id', 'text', (c) => c.primaryKey())
		.addColumn('url', 'text', (c) => c.notNull())
		.addColumn('kinds', 'text', (c) => c.notNull())
		.addColumn('secret', 'text', (c) => c.notNull())
		.addColumn('previous_secret', 'text')
		.addColumn('previous_until', 'bigint')
		.addColumn('created_by', 'text', (c) => c.notNull())
		.addColumn('created_at', 'bigint', (c) => c.notNull())
		.addColumn('failing_since', 'bigint')
		.addColumn('disabled_at', 'bigint')
		.execute();
	await db.schema
		.createTable('deliveries')
		.addColumn('id', 'text', (c) => c.primaryKey())
		.addColumn('destination', 'text', (c) => c.notNull())
		.addColumn('source', 'text', (c) => c.notNull())
		.addColumn('body', 'text', (c) => c.notNull())
		.addColumn('state', 'text', (c) => c.notNull())
		.addColumn('attempts', 'bigint', (c) => c.notNull().defaultTo(0))
		.addColumn('status', 'bigint')
		.addColumn('failure', 'text')
		.addColumn('created_at', 'bigint', (c) => c.notNull())
		.addColumn('due_at', 'bigint')
		.addColumn('ended_at', 'bigint')
		.execute();
	await db.schema
		.createIndex('deliveries_by_source')
		.unique()
		.on('deliveries')
		.columns(['destination', 'source'])
		.execute();
	await db.schema
		.createIndex('deliveries_by_due')
		.on('deliveries')
		.columns(['destination', 'due_at'])
		.execute();
	await db.schema.createIndex('deliveries_by_time').on('deliveries').column('created_at').execute();
	await db.schema
		.createTable('notice_jobs')
		.addColumn('id', 'text', (c) => c.primaryKey())
		.addColumn('due_at', 'bigint')
		.addColumn('lease_owner', 'text')
		.addColumn('lease_until', 'bigint')
		.addColumn('fencing_token', 'bigint', (c) => c.notNull().defaultTo(0))
		.addColumn('position', 'bigint', (c) => c.notNull().defaultTo(0))
		.execute();
	await db.schema.createIndex('notice_jobs_by_due').on('notice_jobs').column('due_at').execute();
	await db.schema
		.createTable('notice_watches')
		.addColumn('key', 'text', (c) => c.primaryKey())
		.addColumn('told', 'text', (c) => c.notNull())
		.addColumn('seen', 'text', (c) => c.notNull())
		.addColumn('since', 'bigint', (c) => c.notNull())
		.addColumn('episode', 'bigint', (c) => c.notNull())
		.addColumn('looked_at', 'bigint', (c) => c.notNull())
		.execute();
	await db.schema
		.createTable('vapid_keys')
		.addColumn('id', 'bigint', (c) => c.primaryKey())
		.addColumn('encrypted', 'text', (c) => c.notNull())
		.execute();
	// Events before this step cause no notices.
	const now = BigInt(Date.now());
	await sql`insert into notice_jobs (id, due_at, position)
		select 'events', ${now}, coalesce(max(seq), 0) from audit_events`.execute(db);
	for (const id of ['watches', 'changes', 'cleaning']) {
		await sql`insert into notice_jobs (id, due_at, position) values (${id}, ${now}, ${now})`.execute(
			db
		);
	}
}

/** The schema of notices. */
export const migrations: Readonly<Record<string, Migration>> = {
	'360_notices': { up: notices }
};
