import type { Int64 } from '../../../platform/database/columns.ts';

/** A wallet that an account may use: a daemon's id, or {@link EVERY_WALLET}. */
export interface WalletGrantsTable {
	account_id: string;
	daemon: string;
}

/** Value for all daemons, including those that are configured later. Not a valid daemon id. */
export const EVERY_WALLET = '*';

/** Kinds of work that another member may end. */
export type EndableKind = 'migration' | 'review' | 'series' | 'draft' | 'activation';

/** Open work that was assigned to another member. */
export interface AssignmentsTable {
	kind: string;
	/** Id of a migration, a review, … */
	item: string;
	/** Name of the account that holds it. */
	holder: string;
	/** Unix milliseconds. */
	at: Int64;
}

export interface WalletGrantTables {
	assignments: AssignmentsTable;
	wallet_grants: WalletGrantsTable;
}
