import type { Kysely } from 'kysely';
import { removeAuditGuards } from '#lib/server/access/audit/guards.ts';
import type { Schema } from '#lib/server/schema.ts';
import type { TestDatabase } from '../../support/database.ts';

/**
 * Changes the log like an attacker with the database but without the key: the database's guards do not stop it.
 */
export async function tamper(
	{ db }: TestDatabase,
	act: (db: Kysely<Schema>) => Promise<unknown>
): Promise<void> {
	await removeAuditGuards(db as unknown as Kysely<unknown>, db.dialect);
	await act(db);
}

/** Empties the log as if nothing had ever been written. */
export const emptyLog = (database: TestDatabase): Promise<void> =>
	tamper(database, async (db) => {
		await db.deleteFrom('audit_events').execute();
		await db.deleteFrom('audit_checkpoints').execute();
		await db
			.updateTable('audit_tip')
			.set({ seq: 0, hash: '', checkpointed: 0, mac: null, broken_at: null, key_id: null })
			.execute();
	});
