/** Restores backups of the database with all its tables. */
import { sql } from 'kysely';
import {
	addAuditGuards,
	AUDIT_TABLES,
	AUDIT_TABLES_BEFORE,
	AUDIT_TABLES_OF_GLOSSARY,
	removeAuditGuards
} from './access/audit/guards.ts';
import { COLUMNS_STEP } from './columnsSchema.ts';
import type { Db } from './database.ts';
import { GLOSSARY_STEP } from './glossarySchema.ts';
import { restoreBackup as restore, type Restored } from './platform/backup/read.ts';
import { allMigrations } from './schemaSteps.ts';

/** Returns the names of the audit tables in a database with these schema steps. */
function auditTablesAfter(steps: ReadonlySet<string>) {
	if (steps.has(COLUMNS_STEP)) return AUDIT_TABLES;
	return steps.has(GLOSSARY_STEP) ? AUDIT_TABLES_OF_GLOSSARY : AUDIT_TABLES_BEFORE;
}

/** Restores a backup of this application's tables. See {@link restore}. */
export const restoreBackup = (
	db: Db,
	keys: readonly Uint8Array[],
	file: string
): Promise<Restored> =>
	restore(
		db,
		{
			steps: allMigrations,
			removeGuards: removeAuditGuards,
			async addGuards(trx, dialect, steps) {
				if (!steps.has('006_audit_segments')) return;
				await addAuditGuards(trx, dialect, auditTablesAfter(steps));
			},
			async lastSeq(trx, steps) {
				const tip = sql.table(auditTablesAfter(steps).tip);
				const { rows } = await sql<{ seq: bigint }>`select seq from ${tip}`.execute(trx);
				return rows[0]?.seq ?? 0n;
			}
		},
		keys,
		file
	);
