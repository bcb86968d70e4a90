/** A proposed change as it stands now. */
import type { Selectable } from 'kysely';
import { changeWords, type ChangeCode, type ChangeLine } from '#lib/messages/changes.ts';
import type { Term, Voter } from '../approvals/quorum.ts';
import { standingOf, stateAt, type Standing } from '../approvals/standing.ts';
import type { ChangeProposalsTable, ChangeVotesTable, ProposalState } from './tables.ts';

export interface Proposal extends Standing {
	id: string;
	code: ChangeCode;
	/** What is changed, and from what to what. */
	title: string;
	lines: readonly ChangeLine[];
	account: string;
	author: string;
	needed: number;
	/** By the clock. */
	state: ProposalState;
	/** Unix milliseconds. */
	createdAt: number;
	expiresAt: number;
	closedAt: number | null;
	closedBy: string | null;
	reason: string | null;
}

/** Who has to approve: other admins whose accounts can be used. */
export const termOf = (needed: number): Pick<Term, 'members' | 'roles' | 'needed'> => ({
	needed,
	members: [],
	roles: ['admin']
});

/** Who approved a proposal, and who could. */
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
		...changeWords(code, JSON.parse(row.facts) as never),
		...standingOfProposal(row, allVotes, members),
		state: stateAt(row, now),
		createdAt: Number(row.created_at),
		expiresAt: Number(row.expires_at),
		closedAt: row.closed_at === null ? null : Number(row.closed_at),
		closedBy: row.closed_by
	};
}
