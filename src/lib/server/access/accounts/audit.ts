/** The audit log, where who wrote this part looks for it. */
export type { AuditEntry, AuditValue } from '../audit/entry.ts';
export type { Audit, AuditRow } from '../audit/audit.ts';
export type { AuditVerdict } from '../audit/verify.ts';
export { createAudit } from '../audit/audit.ts';
