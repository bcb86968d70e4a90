import type { Kysely } from 'kysely';
import type { Migration } from '../../../platform/database/migrate.ts';

async function switches(db: Kysely<unknown>): Promise<void> {
	await db.schema
		.createTable('switches')
		.addColumn('name', 'text', (c) => c.primaryKey())
		.addColumn('reason', 'text', (c) => c.notNull())
		.addColumn('thrown_by', 'text', (c) => c.notNull())
		.addColumn('since', 'bigint', (c) => c.notNull())
		.execute();
}

/** The schema of the safety controls. */
export const migrations: Record<string, Migration> = {
	'080_switches': { up: switches }
};
