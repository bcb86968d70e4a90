import type { Kysely } from 'kysely';
import type { Migration } from '../../platform/database/migrate.ts';

async function kdfStops(db: Kysely<unknown>): Promise<void> {
	await db.schema
		.createTable('node_stops')
		.addColumn('node', 'text', (c) => c.primaryKey())
		.addColumn('reason', 'text', (c) => c.notNull())
		.addColumn('attempts_left', 'bigint')
		.addColumn('since', 'bigint', (c) => c.notNull())
		.execute();
}

/** The schema of the nodes that refused our password. */
export const migrations: Record<string, Migration> = {
	'110_node_stops': { up: kdfStops }
};
