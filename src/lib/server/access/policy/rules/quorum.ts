/** Decides when enough members have approved. Pure. */
import type { Role } from '../../identity/roles.ts';
import type { ApproveRule } from './decide.ts';

/** Who has to approve according to one rule. */
export interface Term {
	/** Id of the rule. */
	rule: string;
	revision: number;
	/** Number of the rule in the list when the approval was requested. */
	place: number;
	needed: number;
	/** Ids of accounts. */
	members: readonly string[];
	roles: readonly Role[];
}

/** A member with the current role and state of the account. */
export interface Voter {
	account: string;
	name: string;
	role: Role;
	/** Whether the account may be used. */
	enabled: boolean;
}

/** Returns what a rule asks for, as a request stores it. */
export const termOf = ({ id, revision, place, effect }: ApproveRule): Term => ({
	rule: id,
	revision,
	place,
	needed: effect.needed,
	members: effect.members,
	roles: effect.roles
});

/**
 * Whether a term asks this member: the account is enabled, is named or has a named role, and is not the
 * author.
 */
export const isAsked = (
	{ members, roles }: Pick<Term, 'members' | 'roles'>,
	{ account, role, enabled }: Voter,
	author: string | null
): boolean => enabled && account !== author && (members.includes(account) || roles.includes(role));

/** Number of approvals that count for a term. */
export const given = (
	term: Pick<Term, 'members' | 'roles'>,
	votes: readonly Voter[],
	author: string
): number => votes.filter((vote) => isAsked(term, vote, author)).length;

/** Whether every term has enough approvals by members who count now. */
export const isMet = (terms: readonly Term[], votes: readonly Voter[], author: string): boolean =>
	terms.length > 0 && terms.every((term) => given(term, votes, author) >= term.needed);

/** Whether both lists hold the same revisions of the same rules, in any order. */
export function sameTerms(a: readonly Term[], b: readonly Term[]): boolean {
	const names = (terms: readonly Term[]): string =>
		terms
			.map(({ rule, revision }) => `${rule} ${revision}`)
			.toSorted()
			.join();
	return names(a) === names(b);
}
