import type { Executor } from '../database/database.ts';
import type { AuditEntry } from './entry.ts';
import type { AuditTables } from './tables.ts';

/** The audit log as the features write to it. */
export interface AuditTrail {
	/** Appends an event. Pass the database transaction of the action as `within`, so that both commit together. */
	append(entry: AuditEntry, within?: Executor<AuditTables>): Promise<void>;
}
