import type { Kysely } from 'kysely';
import type { Migration } from '../../platform/database/migrate.ts';

async function secondFactors(db: Kysely<unknown>): Promise<void> {
	await db.schema.alterTable('accounts').addColumn('second_factor_at', 'bigint').execute();
	await db.schema
		.createTable('second_factors')
		.addColumn('id', 'text', (c) => c.primaryKey())
		.addColumn('account_id', 'text', (c) =>
			c.notNull().references('accounts.id').onDelete('cascade')
		)
		.addColumn('kind', 'text', (c) => c.notNull())
		.addColumn('name', 'text', (c) => c.notNull())
		.addColumn('totp_secret', 'text')
		.addColumn('credential_id', 'text', (c) => c.unique())
		.addColumn('public_key', 'text')
		.addColumn('transports', 'text')
		.addColumn('last_step', 'bigint')
		.addColumn('sign_count', 'bigint')
		.addColumn('created_at', 'bigint', (c) => c.notNull())
		.addColumn('last_used_at', 'bigint')
		.execute();
	await db.schema
		.createIndex('second_factors_by_account')
		.on('second_factors')
		.column('account_id')
		.execute();
	await db.schema
		.createTable('recovery_codes')
		.addColumn('account_id', 'text', (c) =>
			c.notNull().references('accounts.id').onDelete('cascade')
		)
		.addColumn('code_hash', 'text', (c) => c.notNull())
		.addColumn('created_at', 'bigint', (c) => c.notNull())
		.addColumn('used_at', 'bigint')
		.addPrimaryKeyConstraint('recovery_codes_key', ['account_id', 'code_hash'])
		.execute();
	await db.schema
		.createTable('factor_challenges')
		.addColumn('id_hash', 'text', (c) => c.primaryKey())
		.addColumn('purpose', 'text', (c) => c.notNull())
		.addColumn('account_id', 'text', (c) => c.references('accounts.id').onDelete('cascade'))
		.addColumn('content', 'text', (c) => c.notNull())
		.addColumn('mac', 'text', (c) => c.notNull())
		.addColumn('expires_at', 'bigint', (c) => c.notNull())
		.execute();
	await db.schema
		.createIndex('factor_challenges_by_end')
		.on('factor_challenges')
		.column('expires_at')
		.execute();
}

/** Columns by which a logout at the provider finds the pending logins that it ends. */
async function loginProvider(db: Kysely<unknown>): Promise<void> {
	for (const column of ['issuer', 'provider_session']) {
		await db.schema.alterTable('factor_challenges').addColumn(column, 'text').execute();
	}
}

/** The schema of second factors. */
export const migrations: Readonly<Record<string, Migration>> = {
	'321_second_factors': { up: secondFactors },
	'420_login_provider': { up: loginProvider }
};
