import type { Int64, NullableInt64, NullableText } from '../../platform/database/columns.ts';
import type { ChangeCode } from '#lib/messages/changes.ts';

/** `done`: enough admins approved, and it took effect. `voided`: what it was about has changed. */
export type ProposalState = 'open' | 'done' | 'rejected' | 'expired' | 'voided' | 'withdrawn';

/** A change that takes effect once other admins have approved it. */
export interface ChangeProposalsTable {
	id: string;
	code: ChangeCode;
	/** JSON: what the change is applied with. */
	params: string;
	/** JSON: what it changes from and to, for its words. */
	facts: string;
	/** SHA-256 of what it changes as it stood then, hex. */
	base: string;
	/** Account of the author, whose own approval does not count. */
	account: string;
	author: string;
	/** How many other admins have to approve. */
	needed: Int64;
	state: ProposalState;
	/** Hash of code and params while it is open: the same is proposed once. */
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

/** An approval of one admin. */
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
