/** Where something that others approve stands: who approved, who could, and how many are missing. Pure. */
import { given, isAsked, type Term, type Voter } from './quorum.ts';

/** An approval as it is stored. */
interface StoredVote {
	account: string;
	name: string;
	at: bigint;
}

export interface Standing {
	/** Who approved, the first one first; `counts`: their approval counts now. */
	votes: readonly { account: string; name: string; at: number; counts: boolean }[];
	/** Those who approved, as members that they are now. */
	voters: readonly Voter[];
	/** Members who could approve and have not, by id, with their names. */
	waitsFor: ReadonlyMap<string, string>;
	/** Approvals that are still missing, of the term that misses most. */
	missing: number;
}

/**
 * @param author whose own approval does not count
 * @param members everyone, as they are now
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

/** The state by the clock: what is past its time is expired, also before that was written down. */
export const stateAt = <State extends string>(
	{ state, expires_at }: { state: State; expires_at: bigint },
	now: number
): State | 'expired' => (state === 'open' && Number(expires_at) <= now ? 'expired' : state);
