/** A proposed change as it stands now. */
import type { Selectable } from 'kysely';
import { changeWords, type ChangeCode, type ChangeLine } from '#lib/messages/changes.ts';
import { given, isAsked, type Term, type Voter } from '../approvals/quorum.ts';
import type { ChangeProposalsTable, ChangeVotesTable, ProposalState } from './tables.ts';

export interface Proposal {
	id: string;
	code: ChangeCode;
	/** What is changed, and from what to what. */
	title: string;
	lines: readonly ChangeLine[];
	account: string;
	author: string;
	needed: number;
	/** One that is past its time is expired, also before that was written down. */
	state: ProposalState;
	/** Unix milliseconds. */
	createdAt: number;
	expiresAt: number;
	closedAt: number | null;
	closedBy: string | null;
	reason: string | null;
	/** Who approved, the first one first; `counts`: their approval counts now. */
	votes: readonly { account: string; name: string; at: number; counts: boolean }[];
	/** Admins who could approve and have not, by id, with their names. */
	waitsFor: ReadonlyMap<string, string>;
	/** Approvals that are still missing. */
	missing: number;
}

/** Who has to approve: other admins whose accounts can be used. */
export const termOf = (needed: number): Pick<Term, 'members' | 'roles' | 'needed'> => ({
	needed,
	members: [],
	roles: ['admin']
});

export function readProposal(
	row: Selectable<ChangeProposalsTable>,
	allVotes: readonly Selectable<ChangeVotesTable>[],
	members: readonly Voter[],
	now: number
): Proposal {
	const { id, code, account, author, state, reason } = row;
	const needed = Number(row.needed);
	const term = termOf(needed);
	const votes = allVotes.filter(({ proposal }) => proposal === id);
	const voted = new Set(votes.map((vote) => vote.account));
	const voters = members.filter((member) => voted.has(member.account));
	const asked = (voter: Voter): boolean => isAsked(term, voter, account);
	return {
		...{ id, code, account, author, needed, reason },
		...changeWords(code, JSON.parse(row.facts) as never),
		state: state === 'open' && Number(row.expires_at) <= now ? 'expired' : state,
		createdAt: Number(row.created_at),
		expiresAt: Number(row.expires_at),
		closedAt: row.closed_at === null ? null : Number(row.closed_at),
		closedBy: row.closed_by,
		votes: votes.map((vote) => ({
			account: vote.account,
			name: vote.name,
			at: Number(vote.at),
			counts: voters.some((voter) => voter.account === vote.account && asked(voter))
		})),
		waitsFor: new Map(
			members
				.filter((member) => asked(member) && !voted.has(member.account))
				.map((member) => [member.account, member.name])
		),
		missing: Math.max(0, needed - given(term, voters, account))
	};
}
