import type { Int64 } from '../../platform/database/columns.ts';

/** A filter of a list that a member saved under a name. */
export interface SavedFiltersTable {
	account_id: string;
	list: SavedList;
	/** As the member wrote it; unique for each member and list. */
	name: string;
	/** The query of the address, without `?`: only parameters of the list's filter. */
	query: string;
	/** Unix milliseconds. */
	created_at: Int64;
}

/** Lists whose filters can be saved. */
export type SavedList = 'audit';

export interface SavedFilterTables {
	saved_filters: SavedFiltersTable;
}
