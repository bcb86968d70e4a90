import type { Int64, NullableInt64 } from '../../../platform/database/columns.ts';
import type { LimitKind } from './kinds.ts';

/** Stands for everybody, or for every chain, that has no rule of its own. */
export const ANY = '*';

/** How much of a kind may go out within 24 hours. */
export interface SpendingLimitsTable {
	/** An account's id, or {@link ANY}. */
	account: string;
	/** A chain's name, or {@link ANY}: each chain then counts for itself. */
	chain: string;
	kind: LimitKind;
	/** Null: as many as one likes. */
	most_count: NullableInt64;
	/** Satoshi; null: as much as one likes. */
	most_amount: NullableInt64;
}

/** Something that went out. Rows older than 24 hours are of no use and go. */
export interface SpendingLimitUsesTable {
	account: string;
	chain: string;
	kind: LimitKind;
	/** A txid, so that the same transaction counts once; else an id made for this one use. */
	ref: string;
	/** Satoshi. */
	amount: Int64;
	/** Unix milliseconds. */
	at: Int64;
	/** How many sends of it rely on it: those that reached nobody give it back. */
	claims: Int64;
}

/** A row for each account that has used something: locked while it is counted. */
export interface SpendingCountsTable {
	account: string;
	counted: Int64;
}

/** The highest fee of one transaction. */
export interface FeeCapsTable {
	/** A chain's name, or {@link ANY}. */
	chain: string;
	/** Satoshi. */
	most: Int64;
}

export interface SpendingLimitTables {
	fee_caps: FeeCapsTable;
	spending_limits: SpendingLimitsTable;
	spending_limit_uses: SpendingLimitUsesTable;
	spending_counts: SpendingCountsTable;
}
