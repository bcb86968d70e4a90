import type { Executor } from '../database/database.ts';
import type { AuditEntry } from './entry.ts';
import type { AuditTables } from './tables.ts';

/** Where acts go on record. */
export interface AuditTrail {
	/** Adds a row; inside a transaction hand that over, so that the row is there exactly when the act is. */
	append(entry: AuditEntry, within?: Executor<AuditTables>): Promise<void>;
}
