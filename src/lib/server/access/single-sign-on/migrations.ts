import type { Kysely } from 'kysely';
import type { Migration } from '../../platform/database/migrate.ts';

async function singleSignOn(db: Kysely<unknown>): Promise<void> {
	await db.schema
		.createTable('identities')
		.addColumn('issuer', 'text', (c) => c.notNull())
		.addColumn('subject', 'text', (c) => c.notNull())
		.addColumn('account_id', 'text', (c) =>
			c.notNull().references('accounts.id').onDelete('cascade')
		)
		.addColumn('label', 'text', (c) => c.notNull())
		.addColumn('linked_at', 'bigint', (c) => c.notNull())
		.addColumn('last_used_at', 'bigint')
		.addPrimaryKeyConstraint('identities_pk', ['issuer', 'subject'])
		.addUniqueConstraint('identities_one_each', ['account_id', 'issuer'])
		.execute();
	await db.schema
		.createTable('sign_on_flows')
		.addColumn('browser_hash', 'text', (c) => c.primaryKey())
		.addColumn('purpose', 'text', (c) => c.notNull())
		.addColumn('account_id', 'text', (c) => c.references('accounts.id').onDelete('cascade'))
		.addColumn('session_hash', 'text')
		.addColumn('link_id', 'text')
		.addColumn('next', 'text', (c) => c.notNull())
		.addColumn('created_at', 'bigint', (c) => c.notNull())
		.addColumn('expires_at', 'bigint', (c) => c.notNull())
		.addColumn('used_at', 'bigint')
		.addColumn('mac', 'text', (c) => c.notNull())
		.execute();
	await db.schema
		.createIndex('sign_on_flows_by_end')
		.on('sign_on_flows')
		.column('expires_at')
		.execute();
	await db.schema.alterTable('sessions').addColumn('issuer', 'text').execute();
}

async function backChannelLogout(db: Kysely<unknown>): Promise<void> {
	await db.schema.alterTable('sessions').addColumn('provider_session', 'text').execute();
	await db.schema
		.createTable('sign_on_logouts')
		.addColumn('token_id', 'text', (c) => c.primaryKey())
		.addColumn('forget_at', 'bigint', (c) => c.notNull())
		.execute();
}

/**
 * The claims of each logout, so that a login that completes concurrently, and has no session yet to be ended,
 * is found to be logged out.
 */
async function logoutClaims(db: Kysely<unknown>): Promise<void> {
	for (const column of ['issuer', 'subject', 'provider_session']) {
		await db.schema.alterTable('sign_on_logouts').addColumn(column, 'text').execute();
	}
}

/** Identities that their members unlinked, with the account. */
async function unlinkedIdentities(db: Kysely<unknown>): Promise<void> {
	await db.schema
		.createTable('unlinked_identities')
		.addColumn('issuer', 'text', (c) => c.notNull())
		.addColumn('subject', 'text', (c) => c.notNull())
		.addColumn('account_id', 'text', (c) =>
			c.notNull().references('accounts.id').onDelete('cascade')
		)
		.addPrimaryKeyConstraint('unlinked_identities_pk', ['issuer', 'subject'])
		.execute();
}

/** The schema of single sign-on. */
export const migrations: Readonly<Record<string, Migration>> = {
	'330_single_sign_on': { up: singleSignOn },
	'400_back_channel_logout': { up: backChannelLogout },
	'430_sign_on_logout_claims': { up: logoutClaims },
	'440_unlinked_identities': { up: unlinkedIdentities }
};
