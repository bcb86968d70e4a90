import type { Kysely } from 'kysely';
import type { Migration } from '../../platform/database/migrate.ts';

async function securitySettings(db: Kysely<unknown>): Promise<void> {
	await db.schema
		.createTable('security_settings')
		.addColumn('name', 'text', (c) => c.primaryKey())
		.addColumn('value', 'text', (c) => c.notNull())
		.addColumn('changed_by', 'text', (c) => c.notNull())
		.addColumn('changed_at', 'bigint', (c) => c.notNull())
		.execute();
}

/** The schema of the security settings. */
export const migrations: Readonly<Record<string, Migration>> = {
	'320_security_settings': { up: securitySettings }
};
