import type { Int64 } from '../../../platform/database/columns.ts';
import type { SafetyControlName } from './names.ts';

/** A switch that is on; one that is off has no row. */
export interface SafetyControlsTable {
	name: SafetyControlName;
	/** Why, as everybody reads it. */
	reason: string;
	/** Name of the account that threw it. */
	thrown_by: string;
	/** Unix milliseconds. */
	since: Int64;
}

export interface SafetyControlTables {
	safety_controls: SafetyControlsTable;
}
