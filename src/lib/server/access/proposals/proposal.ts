/** A proposed change with its current standing. */
import type { Selectable } from 'kysely';
import {
	changeWords,
	type ChangeCode,
	type ChangeFacts,
	type ChangeLine
} from '#lib/messages/changes.ts';
import type { Term, Voter } from '../policy/rules/quorum.ts';
import { standingOf, stateAt, type Standing } from '../approvals/standing.ts';
import type { ChangeProposalsTable, ChangeVotesTable, ProposalState } from '../changes/tables.ts';

export interface Proposal extends Standing {
	id: string;
	code: ChangeCode;
	/** Words of the change; `lines` holds the values before and after. */
	title: string;
	lines: readonly ChangeLine[];
	account: string;
	author: string;
	needed: number;
	/** By the clock: an open proposal past its expiry is `expired`. */
	state: ProposalState;
	/** Unix milliseconds. */
	createdAt: number;
	expiresAt: number;
	closedAt: number | null;
	closedBy: string | null;
	reason: string | null;
}

/** Returns the term of a proposal: approvals by other admins whose accounts may be used. */
export const termOf = (needed: number): Pick<Term, 'members' | 'roles' | 'needed'> => ({
	needed,
	members: [],
	roles: ['admin']
});

/** The standing of a proposal: who approved, and who still could. */
export const standingOfProposal = (
	{ id, account, needed }: Pick<Selectable<ChangeProposalsTable>, 'id' | 'account' | 'needed'>,
	votes: readonly Selectable<ChangeVotesTable>[],
	members: readonly Voter[]
): Standing =>
	standingOf(
		[termOf(Number(needed))],
		account,
		votes.filter(({ proposal }) => proposal === id),
		members
	);

export function readProposal(
	row: Selectable<ChangeProposalsTable>,
	allVotes: readonly Selectable<ChangeVotesTable>[],
	members: readonly Voter[],
	now: number
): Proposal {
	const { id, code, account, author, reason } = row;
	const needed = Number(row.needed);
	return {
		id,
		code,
		account,
		author,
		needed,
		reason,
		...changeWords(code, JSON.parse(row.facts) as ChangeFacts[ChangeCode]),
		...standingOfProposal(row, allVotes, members),
		state: stateAt(row, now),
		createdAt: Number(row.created_at),
		expiresAt: Number(row.expires_at),
		closedAt: row.closed_at === null ? null : Number(row.closed_at),
		closedBy: row.closed_by
	};
}
