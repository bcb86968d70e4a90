import { sql, type Kysely } from 'kysely';
import type { DatabaseDialect } from '../../platform/database/dialect.ts';
import type { Migration } from '../../platform/database/migrate.ts';
import { migrations as auditMigrations } from '../audit/migrations.ts';
import { skeletonOf } from '../identity/names.ts';

async function accounts(db: Kysely<unknown>): Promise<void> {
	await db.schema
		.createTable('accounts')
		.addColumn('id', 'text', (c) => c.primaryKey())
		.addColumn('name', 'text', (c) => c.notNull())
		.addColumn('name_key', 'text', (c) => c.notNull().unique())
		.addColumn('role', 'text', (c) => c.notNull())
		.addColumn('password_hash', 'text', (c) => c.notNull())
		.addColumn('created_at', 'bigint', (c) => c.notNull())
		.addColumn('disabled_at', 'bigint')
		.execute();
	await db.schema
		.createTable('sessions')
		.addColumn('id_hash', 'text', (c) => c.primaryKey())
		.addColumn('account_id', 'text', (c) =>
			c.notNull().references('accounts.id').onDelete('cascade')
		)
		.addColumn('created_at', 'bigint', (c) => c.notNull())
		.addColumn('last_seen_at', 'bigint', (c) => c.notNull())
		.addColumn('expires_at', 'bigint', (c) => c.notNull())
		.addColumn('ends_at', 'bigint', (c) => c.notNull())
		.addColumn('address', 'text')
		.addColumn('user_agent', 'text')
		.execute();
	await db.schema.createIndex('sessions_by_account').on('sessions').column('account_id').execute();
	await db.schema
		.createTable('setup_links')
		.addColumn('token_hash', 'text', (c) => c.primaryKey())
		.addColumn('created_at', 'bigint', (c) => c.notNull())
		.addColumn('expires_at', 'bigint', (c) => c.notNull())
		.addColumn('used_at', 'bigint')
		.execute();
}

async function apiTokens(db: Kysely<unknown>): Promise<void> {
	await db.schema
		.createTable('api_tokens')
		.addColumn('id', 'text', (c) => c.primaryKey())
		.addColumn('account_id', 'text', (c) =>
			c.notNull().references('accounts.id').onDelete('cascade')
		)
		.addColumn('name', 'text', (c) => c.notNull())
		.addColumn('token_hash', 'text', (c) => c.notNull().unique())
		.addColumn('role', 'text', (c) => c.notNull())
		.addColumn('methods', 'text')
		.addColumn('daemons', 'text')
		.addColumn('created_at', 'bigint', (c) => c.notNull())
		.addColumn('expires_at', 'bigint')
		.addColumn('last_used_at', 'bigint')
		.addColumn('revoked_at', 'bigint')
		.execute();
	await db.schema
		.createIndex('api_tokens_by_account')
		.on('api_tokens')
		.column('account_id')
		.execute();
}

async function audit(db: Kysely<unknown>, dialect: DatabaseDialect): Promise<void> {
	await db.schema
		.createTable('audit')
		.addColumn('seq', 'bigint', (c) => c.primaryKey())
		.addColumn('time', 'bigint', (c) => c.notNull())
		.addColumn('actor', 'text', (c) => c.notNull())
		.addColumn('action', 'text', (c) => c.notNull())
		.addColumn('target', 'text')
		.addColumn('detail', 'text', (c) => c.notNull())
		.addColumn('prev_hash', 'text', (c) => c.notNull())
		.addColumn('hash', 'text', (c) => c.notNull())
		.execute();
	await db.schema
		.createTable('audit_head')
		.addColumn('id', 'bigint', (c) => c.primaryKey())
		.addColumn('seq', 'bigint', (c) => c.notNull())
		.addColumn('hash', 'text', (c) => c.notNull())
		.execute();
	await sql`insert into audit_head (id, seq, hash) values (1, 0, '')`.execute(db);
	// Changes are detected by the hash chain; these triggers prevent changes by mistake.
	if (dialect === 'postgres') {
		await sql`create function audit_is_append_only() returns trigger language plpgsql as
			$$ begin raise exception 'audit is append-only'; end $$`.execute(db);
		await sql`create trigger audit_append_only before update or delete or truncate on audit
			for each statement execute function audit_is_append_only()`.execute(db);
		return;
	}
	await sql`create trigger audit_no_update before update on audit
		begin select raise(abort, 'audit is append-only'); end`.execute(db);
	await sql`create trigger audit_no_delete before delete on audit
		begin select raise(abort, 'audit is append-only'); end`.execute(db);
}

async function throttle(db: Kysely<unknown>): Promise<void> {
	await db.schema
		.createTable('throttle')
		.addColumn('key', 'text', (c) => c.primaryKey())
		.addColumn('points', 'bigint', (c) => c.notNull())
		.addColumn('expires_at', 'bigint')
		.execute();
}

async function accountLinks(db: Kysely<unknown>): Promise<void> {
	await db.schema
		.createTable('account_links')
		.addColumn('id', 'text', (c) => c.primaryKey())
		.addColumn('kind', 'text', (c) => c.notNull())
		.addColumn('token_hash', 'text', (c) => c.notNull().unique())
		.addColumn('role', 'text')
		.addColumn('name', 'text')
		.addColumn('account_id', 'text', (c) => c.references('accounts.id').onDelete('cascade'))
		.addColumn('made_by', 'text', (c) => c.references('accounts.id').onDelete('cascade'))
		.addColumn('created_at', 'bigint', (c) => c.notNull())
		.addColumn('expires_at', 'bigint', (c) => c.notNull())
		.addColumn('used_at', 'bigint')
		.addColumn('revoked_at', 'bigint')
		.execute();
	await db.schema
		.createIndex('account_links_by_account')
		.on('account_links')
		.column('account_id')
		.execute();
}

async function invitationWallets(db: Kysely<unknown>): Promise<void> {
	await db.schema.alterTable('account_links').addColumn('wallets', 'text').execute();
}

async function confirmedSessions(db: Kysely<unknown>): Promise<void> {
	await db.schema.alterTable('sessions').addColumn('confirmed_at', 'bigint').execute();
}

/** Existing names that look alike are kept: only the oldest of them gets the skeleton. */
async function accountSkeletons(db: Kysely<unknown>): Promise<void> {
	await db.schema.alterTable('accounts').addColumn('skeleton', 'text').execute();
	const { rows } = await sql<{ id: string; name: string }>`
		select id, name from accounts order by created_at, id`.execute(db);
	const taken = new Set<string>();
	for (const { id, name } of rows) {
		const skeleton = skeletonOf(name);
		if (taken.has(skeleton)) continue;
		taken.add(skeleton);
		await sql`update accounts set skeleton = ${skeleton} where id = ${id}`.execute(db);
	}
	await db.schema
		.createIndex('accounts_by_skeleton')
		.on('accounts')
		.column('skeleton')
		.unique()
		.execute();
}

async function boundSessions(db: Kysely<unknown>): Promise<void> {
	// Existing hashes cannot be converted to HMACs, so all members log in once more.
	await sql`delete from sessions`.execute(db);
	await sql`delete from setup_links`.execute(db);
	await db.schema
		.alterTable('sessions')
		.addColumn('mac', 'text', (c) => c.notNull().defaultTo(''))
		.execute();
	await db.schema.alterTable('accounts').addColumn('to_confirm', 'text').execute();
	await db.schema
		.createTable('secret_keys')
		.addColumn('id', 'bigint', (c) => c.primaryKey())
		.addColumn('sealed', 'text', (c) => c.notNull())
		.execute();
}

async function sessionPlaces(db: Kysely<unknown>): Promise<void> {
	await db.schema.alterTable('sessions').addColumn('new_place', 'bigint').execute();
	await db.schema
		.createTable('session_places')
		.addColumn('account_id', 'text', (c) =>
			c.notNull().references('accounts.id').onDelete('cascade')
		)
		.addColumn('network', 'text', (c) => c.notNull())
		.addColumn('since', 'bigint', (c) => c.notNull())
		.addPrimaryKeyConstraint('session_places_key', ['account_id', 'network'])
		.execute();
}

/** The schema of accounts, sessions, tokens, audit and rate limits. */
export const migrations: Record<string, Migration> = {
	'001_accounts': { up: accounts },
	'002_api_tokens': { up: apiTokens },
	'003_audit': { up: audit },
	'004_throttle': { up: throttle },
	'005_account_links': { up: accountLinks },
	'120_invitation_wallets': { up: invitationWallets },
	'130_confirmed_sessions': { up: confirmedSessions },
	'131_account_skeletons': { up: accountSkeletons },
	'201_bound_sessions': { up: boundSessions },
	'371_session_places': { up: sessionPlaces },
	...auditMigrations
};
