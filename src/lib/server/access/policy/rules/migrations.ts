import { sql, type Kysely } from 'kysely';
import type { Migration } from '../../../platform/database/migrate.ts';

async function policies(db: Kysely<unknown>): Promise<void> {
	await db.schema
		.createTable('policy_rules')
		.addColumn('id', 'text', (c) => c.primaryKey())
		.addColumn('position', 'bigint', (c) => c.notNull())
		.addColumn('revision', 'bigint', (c) => c.notNull())
		.addColumn('body', 'text', (c) => c.notNull())
		.execute();
	await db.schema
		.createTable('policy_uses')
		.addColumn('account', 'text', (c) => c.notNull())
		.addColumn('ref', 'text', (c) => c.notNull())
		.addColumn('part', 'bigint', (c) => c.notNull())
		.addColumn('role', 'text', (c) => c.notNull())
		.addColumn('token', 'text')
		.addColumn('wallet', 'text', (c) => c.notNull())
		.addColumn('kind', 'text', (c) => c.notNull())
		.addColumn('chain', 'text', (c) => c.notNull())
		.addColumn('tokenid', 'text', (c) => c.notNull())
		.addColumn('recipient', 'text', (c) => c.notNull())
		.addColumn('own', 'bigint', (c) => c.notNull())
		.addColumn('amount', 'bigint', (c) => c.notNull())
		.addColumn('at', 'bigint', (c) => c.notNull())
		.addPrimaryKeyConstraint('policy_uses_key', ['account', 'ref', 'part'])
		.execute();
	await db.schema.createIndex('policy_uses_by_time').on('policy_uses').column('at').execute();
	await db.schema
		.createTable('policy_state')
		.addColumn('id', 'bigint', (c) => c.primaryKey())
		.addColumn('turns', 'bigint', (c) => c.notNull())
		.execute();
	await sql`insert into policy_state (id, turns) values (1, 0)`.execute(db);
}

/** What was sent before this step keeps its use: no send remains that could give it back. */
async function claims(db: Kysely<unknown>): Promise<void> {
	await db.schema
		.alterTable('policy_uses')
		.addColumn('claims', 'bigint', (c) => c.notNull().defaultTo(1))
		.execute();
}

/** The schema of policies. An upgraded installation has no rules: only the existing checks apply. */
export const migrations: Readonly<Record<string, Migration>> = {
	'340_policies': { up: policies },
	'410_policy_use_claims': { up: claims }
};
