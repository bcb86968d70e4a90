/**
 * Renames tables and columns to the terms of the glossary. Rows, their states and the hashes over them stay
 * unchanged.
 */
import { sql, type Kysely } from 'kysely';
import {
	addAuditGuards,
	AUDIT_TABLES_OF_GLOSSARY,
	removeAuditGuards
} from './access/audit/guards.ts';
import type { DatabaseDialect } from './platform/database/dialect.ts';
import type { Migration } from './platform/database/migrate.ts';

const TABLES: readonly (readonly [before: string, now: string])[] = [
	['audit', 'audit_events'],
	['audit_head', 'audit_tip'],
	['audit_seals', 'audit_checkpoints'],
	['book_entries', 'labels'],
	['book_keys', 'label_keys'],
	['book_words', 'label_words'],
	['burn_approvals', 'notary_approvals'],
	['handed_over', 'assignments'],
	['limit_heads', 'spending_counts'],
	['limit_uses', 'spending_limit_uses'],
	['limits', 'spending_limits'],
	['node_stops', 'kdf_stops'],
	['sends', 'transactions'],
	['switches', 'safety_controls'],
	['token_series', 'batch_transfers'],
	['token_series_rows', 'batch_transfer_items']
];

/** By the current names of the tables. */
const COLUMNS: readonly (readonly [table: string, before: string, now: string])[] = [
	['batch_transfer_items', 'send', 'transaction_id'],
	['batch_transfer_items', 'series', 'batch_transfer'],
	['labels', 'look', 'skeleton'],
	['secret_keys', 'sealed', 'encrypted']
];

async function rename(db: Kysely<unknown>, dialect: DatabaseDialect): Promise<void> {
	// PostgreSQL functions hold the names as text, so they are created again for the new names.
	await removeAuditGuards(db, dialect);
	for (const [before, now] of TABLES) {
		await sql`alter table ${sql.table(before)} rename to ${sql.table(now)}`.execute(db);
	}
	for (const [table, before, now] of COLUMNS) {
		await sql`alter table ${sql.table(table)} rename column ${sql.ref(before)} to ${sql.ref(now)}`.execute(
			db
		);
	}
	await addAuditGuards(db, dialect, AUDIT_TABLES_OF_GLOSSARY);
}

/** The schema step that renames them. */
export const GLOSSARY_STEP = '220_glossary';

export const migrations: Record<string, Migration> = { [GLOSSARY_STEP]: { up: rename } };
