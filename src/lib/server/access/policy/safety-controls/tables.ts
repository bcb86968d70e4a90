import type { Int64 } from '../../../platform/database/columns.ts';
import type { SafetyControlName } from './names.ts';

/** A safety control that is on; one that is off has no row. */
export interface SafetyControlsTable {
	name: SafetyControlName;
	/** The reason, which every member can read. */
	reason: string;
	/** Name of the account that turned it on. */
	thrown_by: string;
	/** Unix milliseconds. */
	since: Int64;
}

export interface SafetyControlTables {
	safety_controls: SafetyControlsTable;
}
