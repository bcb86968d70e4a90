/**
 * Standing of something that needs approvals: who approved, who still could, and how many approvals are
 * missing. Pure.
 */
import { given, isAsked, type Term, type Voter } from '../policy/rules/quorum.ts';

/** An approval as it is stored. */
interface StoredVote {
	account: string;
	name: string;
	at: bigint;
}

export interface Standing {
	/** The approvals, oldest first; `counts`: whether it counts now. */
	votes: readonly { account: string; name: string; at: number; counts: boolean }[];
	/** The members who approved, with their current role and state. */
	voters: readonly Voter[];
	/** Members who could approve and have not: names by account id. */
	waitsFor: ReadonlyMap<string, string>;
	/** Number of approvals that are still missing, for the term that misses most. */
	missing: number;
}

/**
 * Computes the standing from stored approvals and current members.
 * @param author account id, whose own approval does not count
 * @param members all members, with their current role and state
 */
export function standingOf(
	terms: readonly Pick<Term, 'members' | 'roles' | 'needed'>[],
	author: string,
	votes: readonly StoredVote[],
	members: readonly Voter[]
): Standing {
	const asked = (voter: Voter): boolean => terms.some((term) => isAsked(term, voter, author));
	const voted = new Set(votes.map(({ account }) => account));
	const voters = members.filter((member) => voted.has(member.account));
	return {
		votes: votes.map(({ account, name, at }) => ({
			account,
			name,
			at: Number(at),
			counts: voters.some((voter) => voter.account === account && asked(voter))
		})),
		voters,
		waitsFor: new Map(
			members
				.filter((member) => asked(member) && !voted.has(member.account))
				.map((member) => [member.account, member.name])
		),
		missing: Math.max(0, ...terms.map((term) => term.needed - given(term, voters, author)))
	};
}

/** The state by the clock: past its expiry an open entry is `expired`, even before that is stored. */
export const stateAt = <State extends string>(
	{ state, expires_at }: { state: State; expires_at: bigint },
	now: number
): State | 'expired' => (state === 'open' && Number(expires_at) <= now ? 'expired' : state);
