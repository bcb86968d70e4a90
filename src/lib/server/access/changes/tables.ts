import type { Int64, NullableInt64, NullableText } from '../../platform/database/columns.ts';
import type { ChangeCode } from '#lib/messages/changes.ts';

/** `done`: enough admins approved and it was applied. `voided`: the state that it was for has changed. */
export type ProposalState = 'open' | 'done' | 'rejected' | 'expired' | 'voided' | 'withdrawn';

/** A change that is applied once other admins have approved it. */
export interface ChangeProposalsTable {
	id: string;
	code: ChangeCode;
	/** JSON: parameters of the change. */
	params: string;
	/** JSON: values before and after, for its words. */
	facts: string;
	/** SHA-256 of the number of approvals needed and of the state that it changes, at creation, hex. */
	base: string;
	/** Account id of the author, whose own approval does not count. */
	account: string;
	author: string;
	/** Number of other admins who have to approve. */
	needed: Int64;
	state: ProposalState;
	/**
	 * Hash of code and params while it is open, else null: unique, so that the same change is proposed once.
	 */
	open_key: NullableText;
	/** Unix milliseconds. */
	created_at: Int64;
	expires_at: Int64;
	closed_at: NullableInt64;
	/** Name of the account, or `engine`, that closed it. */
	closed_by: NullableText;
	/** The reason, in the words of the admin who rejected it. */
	reason: NullableText;
}

/** An approval by one admin. */
export interface ChangeVotesTable {
	proposal: string;
	account: string;
	name: string;
	at: Int64;
}

export interface ProposalTables {
	change_proposals: ChangeProposalsTable;
	change_votes: ChangeVotesTable;
}
