import { sql, type Kysely } from 'kysely';
import { kindOf, outcomeOf } from '../../platform/audit-trail/entry.ts';
import type { DatabaseDialect } from '../../platform/database/dialect.ts';
import type { Migration } from '../../platform/database/migrate.ts';
import { addAuditGuards, AUDIT_TABLES_BEFORE, removeAuditGuards } from './guards.ts';

/** Columns that the list filters by, besides the action; each index also gives the list's order. */
const NARROWED_BY = ['actor', 'kind', 'place', 'outcome'] as const;

/** Version 1 of an event had no columns for kind and outcome: they follow from the action. */
async function nameOldRows(db: Kysely<unknown>): Promise<void> {
	const { rows } = await sql<{ action: string }>`select distinct action from audit`.execute(db);
	for (const { action } of rows) {
		await sql`update audit set kind = ${kindOf(action)}, outcome = ${outcomeOf(action)}
			where action = ${action}`.execute(db);
	}
}

async function segments(db: Kysely<unknown>, dialect: DatabaseDialect): Promise<void> {
	await removeAuditGuards(db, dialect);
	await db.schema
		.alterTable('audit')
		.addColumn('version', 'bigint', (c) => c.notNull().defaultTo(1))
		.execute();
	for (const column of ['kind', 'outcome'] as const) {
		await db.schema
			.alterTable('audit')
			.addColumn(column, 'text', (c) => c.notNull().defaultTo(''))
			.execute();
	}
	for (const column of ['place', 'request'] as const) {
		await db.schema.alterTable('audit').addColumn(column, 'text').execute();
	}
	await nameOldRows(db);
	await db.schema.createIndex('audit_by_time').on('audit').columns(['time', 'seq']).execute();
	for (const column of NARROWED_BY) {
		await db.schema
			.createIndex(`audit_by_${column}`)
			.on('audit')
			.columns([column, 'time', 'seq'])
			.execute();
	}
	await db.schema
		.createTable('audit_seals')
		.addColumn('number', 'bigint', (c) => c.primaryKey())
		.addColumn('first_seq', 'bigint', (c) => c.notNull())
		.addColumn('last_seq', 'bigint', (c) => c.notNull())
		.addColumn('rows', 'bigint', (c) => c.notNull())
		.addColumn('last_hash', 'text', (c) => c.notNull())
		.addColumn('first_time', 'bigint', (c) => c.notNull())
		.addColumn('last_time', 'bigint', (c) => c.notNull())
		.addColumn('previous', 'text', (c) => c.notNull())
		.addColumn('sealed_at', 'bigint', (c) => c.notNull())
		.addColumn('mac', 'text', (c) => c.notNull())
		.addColumn('dropped_at', 'bigint')
		.addColumn('drop_mac', 'text')
		.execute();
	await db.schema
		.alterTable('audit_head')
		.addColumn('sealed', 'bigint', (c) => c.notNull().defaultTo(0))
		.execute();
	await db.schema.alterTable('audit_head').addColumn('mac', 'text').execute();
	await db.schema.alterTable('audit_head').addColumn('broken_at', 'bigint').execute();
	await addAuditGuards(db, dialect, AUDIT_TABLES_BEFORE);
}

async function recordedState(db: Kysely<unknown>): Promise<void> {
	await db.schema.alterTable('audit').addColumn('state', 'text').execute();
	// Few events change a recorded row, and all of these are read at the start.
	await sql`create index audit_with_state on audit (seq) where state is not null`.execute(db);
	await db.schema.alterTable('audit_head').addColumn('key_id', 'text').execute();
}

/** The list filters by action too, such as all changes that were made without approval. */
async function byAction(db: Kysely<unknown>): Promise<void> {
	await db.schema
		.createIndex('audit_by_action')
		.on('audit_events')
		.columns(['action', 'time', 'seq'])
		.execute();
}

/** The audit log as segments with checkpoints. Its first tables are created in the accounts' migrations. */
export const migrations: Record<string, Migration> = {
	'006_audit_segments': { up: segments },
	'200_recorded_state': { up: recordedState },
	'470_audit_by_action': { up: byAction }
};
