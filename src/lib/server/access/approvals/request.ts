/** A request for approvals as it stands now. */
import type { Selectable } from 'kysely';
import { movementWords } from '#lib/messages/policies/movements.ts';
import { readMovements, type Movement } from '../policy/rules/facts.ts';
import { given, isAsked, type Term, type Voter } from './quorum.ts';
import type { ApprovalRequestsTable, ApprovalState, ApprovalVotesTable } from './tables.ts';

export interface ApprovalRequest {
	id: string;
	kind: ApprovalRequestsTable['kind'];
	/** Id of the transaction or migration. */
	subject: string | null;
	account: string;
	author: string;
	/** Id of the API token that it came with. */
	token: string | null;
	wallet: string;
	chain: string;
	hex: string;
	hash: string;
	payouts: string | null;
	/** As stored: what the bytes did when it was asked. */
	facts: string;
	movements: readonly Movement[];
	/** The same in words. */
	summary: string;
	terms: readonly Term[];
	/** One that is past its time is expired, also before anybody wrote that down. */
	state: ApprovalState;
	/** Unix milliseconds. */
	createdAt: number;
	expiresAt: number;
	closedAt: number | null;
	closedBy: string | null;
	reason: string | null;
	/** Who approved, the first one first; `counts`: their approval counts now. */
	votes: readonly { account: string; name: string; at: number; counts: boolean }[];
	/** Those who approved, as members that they are now. */
	voters: readonly Voter[];
	/** Members who could approve and have not, by id, with their names. */
	waitsFor: ReadonlyMap<string, string>;
	/** Approvals that are still missing, of the rule that misses most. */
	missing: number;
}

export function readRequest(
	row: Selectable<ApprovalRequestsTable>,
	allVotes: readonly Selectable<ApprovalVotesTable>[],
	members: readonly Voter[],
	now: number
): ApprovalRequest {
	const { account, expires_at, created_at, closed_at, closed_by, open_key: _key, ...rest } = row;
	// Written here, from the same shape.
	const terms = JSON.parse(row.terms) as readonly Term[];
	const movements = readMovements(row.facts);
	const votes = allVotes.filter(({ request }) => request === row.id);
	const asked = (voter: Voter): boolean => terms.some((term) => isAsked(term, voter, account));
	const voted = new Set(votes.map((vote) => vote.account));
	const voters = members.filter((member) => voted.has(member.account));
	return {
		...rest,
		account,
		terms,
		movements,
		summary: movementWords(movements),
		state: row.state === 'open' && Number(expires_at) <= now ? 'expired' : row.state,
		createdAt: Number(created_at),
		expiresAt: Number(expires_at),
		closedAt: closed_at === null ? null : Number(closed_at),
		closedBy: closed_by,
		votes: votes.map((vote) => ({
			account: vote.account,
			name: vote.name,
			at: Number(vote.at),
			counts: voters.some((voter) => voter.account === vote.account && asked(voter))
		})),
		voters,
		waitsFor: new Map(
			members
				.filter((member) => asked(member) && !voted.has(member.account))
				.map((member) => [member.account, member.name])
		),
		missing: Math.max(0, ...terms.map((term) => term.needed - given(term, voters, account)))
	};
}
