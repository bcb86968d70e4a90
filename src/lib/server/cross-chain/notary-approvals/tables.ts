import type { Int64, NullableInt64, NullableText } from '../../platform/database/columns.ts';

/**
 * What is known of an approval's transaction on the destination:
 * - `prepared`: built here for a notary's wallet, and not seen on the chain yet
 * - `unknown`: the chain could not be asked yet
 * - `pending`: an approval of this burn by a notary, in the mempool
 * - `mined`: the same, in a block
 * - `gone`: it was pending or mined, and the chain does not know it any more
 */
export type ApprovalStatus = 'prepared' | 'unknown' | 'pending' | 'mined' | 'gone';

/** An approval of a published burn. Transactions that turned out to be no approval are not stored. */
export interface NotaryApprovalsTable {
	burn_txid: string;
	txid: string;
	status: ApprovalStatus;
	/** Compressed key of the notary, hex; null until the chain was asked. */
	notary: NullableText;
	/** Block of the destination that contains it. */
	height: NullableInt64;
	blockhash: NullableText;
	/** Account that submitted it; null when it was submitted without one. */
	given_by: NullableText;
	/** Unix milliseconds. */
	given_at: Int64;
	checked_at: NullableInt64;
}

export interface NotaryApprovalTables {
	notary_approvals: NotaryApprovalsTable;
}
