import { sql, type Kysely } from 'kysely';
import type { Migration } from '../../../platform/database/migrate.ts';
import { EVERY_WALLET } from './tables.ts';

/**
 * Operators and notaries that existed before wallet grants keep every wallet; an admin withdraws what is too
 * much. Accounts that are created later begin with none.
 */
async function walletGrants(db: Kysely<unknown>): Promise<void> {
	await db.schema
		.createTable('wallet_grants')
		.addColumn('account_id', 'text', (c) =>
			c.notNull().references('accounts.id').onDelete('cascade')
		)
		.addColumn('daemon', 'text', (c) => c.notNull())
		.addPrimaryKeyConstraint('wallet_grants_key', ['account_id', 'daemon'])
		.execute();
	await sql`insert into wallet_grants (account_id, daemon)
		select id, ${EVERY_WALLET} from accounts where role in ('operator', 'notary')`.execute(db);
}

async function handedOver(db: Kysely<unknown>): Promise<void> {
	await db.schema
		.createTable('handed_over')
		.addColumn('kind', 'text', (c) => c.notNull())
		.addColumn('item', 'text', (c) => c.notNull())
		.addColumn('holder', 'text', (c) => c.notNull())
		.addColumn('at', 'bigint', (c) => c.notNull())
		.addPrimaryKeyConstraint('handed_over_key', ['kind', 'item'])
		.execute();
}

/** The schema of wallet grants, and of which member holds open work. */
export const migrations: Record<string, Migration> = {
	'007_handed_over': { up: handedOver },
	'007_wallet_grants': { up: walletGrants }
};
