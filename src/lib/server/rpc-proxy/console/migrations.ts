import type { Kysely } from 'kysely';
import type { Migration } from '../../platform/database/migrate.ts';

async function history(db: Kysely<unknown>): Promise<void> {
	await db.schema
		.createTable('console_history')
		.addColumn('id', 'text', (c) => c.primaryKey())
		.addColumn('account_id', 'text', (c) => c.notNull())
		.addColumn('method', 'text', (c) => c.notNull())
		.addColumn('daemon', 'text', (c) => c.notNull())
		.addColumn('at', 'bigint', (c) => c.notNull())
		.addColumn('ms', 'bigint', (c) => c.notNull())
		.addColumn('outcome', 'text', (c) => c.notNull())
		.addColumn('params', 'text')
		.execute();
	await db.schema
		.createIndex('console_history_by_person')
		.on('console_history')
		.columns(['account_id', 'at', 'id'])
		.execute();
}

export const migrations: Readonly<Record<string, Migration>> = {
	'070_console_history': { up: history }
};
