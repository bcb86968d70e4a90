import type { Int64 } from '../../../platform/database/columns.ts';
import type { SwitchName } from './names.ts';

/** A switch that is on; one that is off has no row. */
export interface SwitchesTable {
	name: SwitchName;
	/** Why, as everybody reads it. */
	reason: string;
	/** Name of the account that threw it. */
	thrown_by: string;
	/** Unix milliseconds. */
	since: Int64;
}

export interface SwitchTables {
	switches: SwitchesTable;
}
