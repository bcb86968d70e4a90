/** When enough members have approved. Pure. */
import type { Role } from '../policy/roles.ts';
import type { ApproveRule } from '../policy/rules/decide.ts';

/** Who has to approve, by one rule. */
export interface Term {
	/** Id of the rule. */
	rule: string;
	revision: number;
	/** Number of the rule in the list when it was asked. */
	place: number;
	needed: number;
	/** Ids of accounts. */
	members: readonly string[];
	roles: readonly Role[];
}

/** A member as they are now. */
export interface Voter {
	account: string;
	name: string;
	role: Role;
	/** Whether the account may be used. */
	enabled: boolean;
}

export const termOf = ({ id, revision, place, effect }: ApproveRule): Term => ({
	rule: id,
	revision,
	place,
	needed: effect.needed,
	members: effect.members,
	roles: effect.roles
});

/** Whether this member is asked by a term: enabled, named or of the role, and not the author. */
export const isAsked = (
	{ members, roles }: Pick<Term, 'members' | 'roles'>,
	{ account, role, enabled }: Voter,
	author: string | null
): boolean => enabled && account !== author && (members.includes(account) || roles.includes(role));

/** How many approvals of a term are there. */
export const given = (
	term: Pick<Term, 'members' | 'roles'>,
	votes: readonly Voter[],
	author: string
): number => votes.filter((vote) => isAsked(term, vote, author)).length;

/** Whether every term is met by those who count now. */
export const isMet = (terms: readonly Term[], votes: readonly Voter[], author: string): boolean =>
	terms.length > 0 && terms.every((term) => given(term, votes, author) >= term.needed);

/** Whether two requests ask for the same, of the same revisions of the same rules. */
export function sameTerms(a: readonly Term[], b: readonly Term[]): boolean {
	const names = (terms: readonly Term[]): string =>
		terms
			.map(({ rule, revision }) => `${rule} ${revision}`)
			.toSorted()
			.join();
	return names(a) === names(b);
}
