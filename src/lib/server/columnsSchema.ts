/** Renames columns to the terms of the glossary. Rows and the hashes over them stay unchanged. */
import { sql, type Kysely } from 'kysely';
import { addAuditGuards, AUDIT_TABLES, removeAuditGuards } from './access/audit/guards.ts';
import type { DatabaseDialect } from './platform/database/dialect.ts';
import type { Migration } from './platform/database/migrate.ts';

const COLUMNS: readonly (readonly [table: string, before: string, now: string])[] = [
	['audit_checkpoints', 'sealed_at', 'created_at'],
	['audit_tip', 'sealed', 'checkpointed'],
	['notary_approvals', 'standing', 'status'],
	['transactions', 'refusal', 'rejection'],
	['transactions', 'refused_height', 'rejected_height'],
	['transactions', 'sent_at', 'broadcast_at']
];

async function rename(db: Kysely<unknown>, dialect: DatabaseDialect): Promise<void> {
	// PostgreSQL functions hold the names as text, so they are created again for the new names.
	await removeAuditGuards(db, dialect);
	for (const [table, before, now] of COLUMNS) {
		await sql`alter table ${sql.table(table)} rename column ${sql.ref(before)} to ${sql.ref(now)}`.execute(
			db
		);
	}
	await addAuditGuards(db, dialect, AUDIT_TABLES);
}

/** The schema step that renames these columns. */
export const COLUMNS_STEP = '290_columns';

export const migrations: Readonly<Record<string, Migration>> = { [COLUMNS_STEP]: { up: rename } };
