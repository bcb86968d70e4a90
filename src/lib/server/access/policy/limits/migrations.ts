import type { Kysely } from 'kysely';
import type { Migration } from '../../../platform/database/migrate.ts';

async function limits(db: Kysely<unknown>): Promise<void> {
	await db.schema
		.createTable('limits')
		.addColumn('account', 'text', (c) => c.notNull())
		.addColumn('chain', 'text', (c) => c.notNull())
		.addColumn('kind', 'text', (c) => c.notNull())
		.addColumn('most_count', 'bigint')
		.addColumn('most_amount', 'bigint')
		.addPrimaryKeyConstraint('limits_key', ['account', 'chain', 'kind'])
		.execute();
	await db.schema
		.createTable('limit_uses')
		.addColumn('account', 'text', (c) => c.notNull().references('accounts.id').onDelete('cascade'))
		.addColumn('chain', 'text', (c) => c.notNull())
		.addColumn('kind', 'text', (c) => c.notNull())
		.addColumn('ref', 'text', (c) => c.notNull())
		.addColumn('amount', 'bigint', (c) => c.notNull())
		.addColumn('at', 'bigint', (c) => c.notNull())
		.addPrimaryKeyConstraint('limit_uses_key', ['account', 'chain', 'kind', 'ref'])
		.execute();
	await db.schema.createIndex('limit_uses_by_time').on('limit_uses').column('at').execute();
	await db.schema
		.createTable('limit_heads')
		.addColumn('account', 'text', (c) =>
			c.primaryKey().references('accounts.id').onDelete('cascade')
		)
		.addColumn('counted', 'bigint', (c) => c.notNull())
		.execute();
}

async function feeCaps(db: Kysely<unknown>): Promise<void> {
	await db.schema
		.createTable('fee_caps')
		.addColumn('chain', 'text', (c) => c.primaryKey())
		.addColumn('most', 'bigint', (c) => c.notNull())
		.execute();
}

/** Uses that were counted before this step stay counted: no send remains that could give them back. */
async function claims(db: Kysely<unknown>): Promise<void> {
	await db.schema
		.alterTable('spending_limit_uses')
		.addColumn('claims', 'bigint', (c) => c.notNull().defaultTo(1))
		.execute();
}

/** The schema of spending limits. An upgraded installation has no limits until an admin sets one. */
export const migrations: Record<string, Migration> = {
	'007_limits': { up: limits },
	'093_fee_caps': { up: feeCaps },
	'411_limit_use_claims': { up: claims }
};
