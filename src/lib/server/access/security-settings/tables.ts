import type { Int64 } from '../../platform/database/columns.ts';

/** A setting that an admin has changed; one without a row has its default. */
export interface SecuritySettingsTable {
	/** As in `settings.ts`; a name that this version does not know is ignored. */
	name: string;
	value: string;
	/** Name of the account that changed it. */
	changed_by: string;
	/** Unix milliseconds. */
	changed_at: Int64;
}

export interface SecuritySettingTables {
	security_settings: SecuritySettingsTable;
}
