import type { Int64 } from '../../../platform/database/columns.ts';

/** A wallet that a person may use: the daemon's id, or {@link EVERY_WALLET}. */
export interface WalletGrantsTable {
	account_id: string;
	daemon: string;
}

/** Stands for all daemons, also those that are configured later; no daemon can be called so. */
export const EVERY_WALLET = '*';

/** Kinds of work that somebody else may end. */
export type EndableKind = 'migration' | 'review' | 'series' | 'draft' | 'activation';

/** Open work that was put into somebody else's hands. */
export interface AssignmentsTable {
	kind: string;
	/** Id of a migration, a review, … */
	item: string;
	/** Name of the account in whose hands it is. */
	holder: string;
	/** Unix milliseconds. */
	at: Int64;
}

export interface WalletGrantTables {
	assignments: AssignmentsTable;
	wallet_grants: WalletGrantsTable;
}
