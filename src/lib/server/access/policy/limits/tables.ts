import type { Int64, NullableInt64 } from '../../../platform/database/columns.ts';
import type { LimitKind } from '../measuring/kinds.ts';

/** Value for every account, or every chain, without an entry of its own. */
export const ANY = '*';

/** How much of a kind may be sent within 24 hours. */
export interface SpendingLimitsTable {
	/** An account's id, or {@link ANY}. */
	account: string;
	/** A chain's name, or {@link ANY}: each chain then counts separately. */
	chain: string;
	kind: LimitKind;
	/** Null: not limited. */
	most_count: NullableInt64;
	/** Satoshi; null: not limited. */
	most_amount: NullableInt64;
}

/** A use that counts for limits. Rows older than 24 hours are no longer needed and are deleted. */
export interface SpendingLimitUsesTable {
	account: string;
	chain: string;
	kind: LimitKind;
	/** A txid, so that the same transaction counts once; otherwise an id made for this use. */
	ref: string;
	/** Satoshi. */
	amount: Int64;
	/** Unix milliseconds. */
	at: Int64;
	/** Number of sends that rely on this use. A send that reached no daemon gives its claim back. */
	claims: Int64;
}

/** One row per account that has used something, written to as a lock while a send is counted. */
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
