import type { AuditTables } from '../platform/audit-trail/tables.ts';
import type { ActivationTables } from './activation/tables.ts';
import type { KdfClientTables } from './client/tables.ts';

/** The tables that this folder and those before it may read and write. */
export interface KdfTables extends ActivationTables, AuditTables, KdfClientTables {}
