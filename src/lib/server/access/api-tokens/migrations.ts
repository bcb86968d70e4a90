import type { Kysely } from 'kysely';
import type { Migration } from '../../platform/database/migrate.ts';

const COLUMNS = [
	'addresses',
	'wallets',
	'amounts',
	'recipients',
	'counted_as',
	'last_used_address',
	'last_used_agent'
] as const;

async function tokenLimits(db: Kysely<unknown>): Promise<void> {
	for (const column of COLUMNS) {
		await db.schema.alterTable('api_tokens').addColumn(column, 'text').execute();
	}
	await db.schema
		.createTable('api_token_uses')
		.addColumn('token', 'text', (c) => c.notNull().references('api_tokens.id').onDelete('cascade'))
		.addColumn('chain', 'text', (c) => c.notNull())
		.addColumn('ref', 'text', (c) => c.notNull())
		.addColumn('amount', 'bigint', (c) => c.notNull())
		.addColumn('at', 'bigint', (c) => c.notNull())
		.addPrimaryKeyConstraint('api_token_uses_key', ['token', 'chain', 'ref'])
		.execute();
	await db.schema
		.createTable('api_token_counts')
		.addColumn('token', 'text', (c) =>
			c.primaryKey().references('api_tokens.id').onDelete('cascade')
		)
		.addColumn('counted', 'bigint', (c) => c.notNull())
		.execute();
}

/** Uses that were counted before this step stay counted: no send remains that could give them back. */
async function claims(db: Kysely<unknown>): Promise<void> {
	await db.schema
		.alterTable('api_token_uses')
		.addColumn('claims', 'bigint', (c) => c.notNull().defaultTo(1))
		.execute();
}

/** The limits of API tokens. Existing tokens stay unlimited by them. */
export const migrations: Readonly<Record<string, Migration>> = {
	'370_token_limits': { up: tokenLimits },
	'412_token_use_claims': { up: claims }
};
