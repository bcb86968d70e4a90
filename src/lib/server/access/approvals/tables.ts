import type { Int64, NullableInt64, NullableText } from '../../platform/database/columns.ts';

/** What is to be approved: signed bytes of a transaction, of a migration's burn or of a script. */
export type ApprovalKind = 'transaction' | 'migration' | 'bytes';

/** `used`: it was approved, and went out or took effect. */
export type ApprovalState = 'open' | 'used' | 'rejected' | 'expired' | 'voided';

/** Something that others have to approve. */
export interface ApprovalRequestsTable {
	id: string;
	kind: ApprovalKind;
	/** Id of the transaction or migration; null where there is none. */
	subject: NullableText;
	/** Account of the author, whose own approval does not count. */
	account: string;
	author: string;
	/** Id of the API token that it came with. */
	token: NullableText;
	/** Id of the daemon whose wallet it is. */
	wallet: string;
	chain: string;
	/** The only bytes that the approval is for, hex. */
	hex: string;
	/** SHA-256 of them, hex. */
	hash: string;
	/** Serialized outputs of a burn's import, hex. */
	payouts: NullableText;
	/** JSON: what the bytes do, as it was read when it was asked. */
	facts: string;
	/** JSON: who has to approve, by rule and revision. */
	terms: string;
	state: ApprovalState;
	/** Author and hash while it is open: the same is asked for once. */
	open_key: NullableText;
	/** Unix milliseconds. */
	created_at: Int64;
	expires_at: Int64;
	closed_at: NullableInt64;
	/** Name of who closed it. */
	closed_by: NullableText;
	/** In the words of who rejected it. */
	reason: NullableText;
}

/** An approval of one member. */
export interface ApprovalVotesTable {
	request: string;
	account: string;
	name: string;
	at: Int64;
}

export interface ApprovalTables {
	approval_requests: ApprovalRequestsTable;
	approval_votes: ApprovalVotesTable;
}
