import type { Int64 } from '../../platform/database/columns.ts';

/** Nodes to which nothing is sent because they refused our password. */
export interface KdfStopsTable {
	node: string;
	reason: string;
	attempts_left: Int64 | null;
	since: Int64;
}

export interface KdfClientTables {
	kdf_stops: KdfStopsTable;
}
