import type { Int64, NullableInt64, NullableText } from '../../platform/database/columns.ts';

/** What is to be approved: signed bytes of a transaction, of a migration's burn, or of a script's call. */
export type ApprovalKind = 'transaction' | 'migration' | 'bytes';

/** `used`: it was approved and its bytes were sent or took effect. */
export type ApprovalState = 'open' | 'used' | 'rejected' | 'expired' | 'voided';

/** A request for approvals by other members. */
export interface ApprovalRequestsTable {
	id: string;
	kind: ApprovalKind;
	/** Id of the transaction or migration; null where there is none. */
	subject: NullableText;
	/** Account id of the author, whose own approval does not count. */
	account: string;
	author: string;
	/** Id of the API token that the request came with; null for none. */
	token: NullableText;
	/** Id of the daemon whose wallet pays. */
	wallet: string;
	chain: string;
	/** The only bytes that the approval is for, hex. */
	hex: string;
	/** SHA-256 of the text in `hex`, in hex. */
	hash: string;
	/** Serialized outputs of a burn's import, hex. */
	payouts: NullableText;
	/** JSON: what the bytes do, as measured when approval was requested. */
	facts: string;
	/** JSON: who has to approve, by rule and revision. */
	terms: string;
	state: ApprovalState;
	/** Account and hash while it is open, else null: unique, so that the same bytes are requested once. */
	open_key: NullableText;
	/** Unix milliseconds. */
	created_at: Int64;
	expires_at: Int64;
	closed_at: NullableInt64;
	/** Name of the account, or of the part of the server, that closed it. */
	closed_by: NullableText;
	/** The words of the member who rejected it, or the code of why the policies voided it. */
	reason: NullableText;
}

/** An approval by one member. */
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
