/** A request for approvals with its current standing, in three sizes. */
import type { Selectable } from 'kysely';
import { movementWords } from '#lib/messages/policies/movements.ts';
import { readMovements, type Movement } from '../policy/rules/facts.ts';
import type { Term, Voter } from '../policy/rules/quorum.ts';
import { standingOf, stateAt, type Standing } from './standing.ts';
import type { ApprovalRequestsTable, ApprovalState, ApprovalVotesTable } from './tables.ts';

export type RequestRow = Selectable<ApprovalRequestsTable>;
export type VoteRow = Selectable<ApprovalVotesTable>;

/** Columns that determine the standing of a request. */
export const STANDING_COLUMNS = [
	...(['id', 'subject', 'account', 'author'] as const),
	...(['terms', 'state', 'expires_at'] as const)
] as const;
/** Columns that lists show: all but the bytes. */
export const LISTED_COLUMNS = [
	...STANDING_COLUMNS,
	...(['kind', 'token', 'wallet', 'chain', 'hash', 'facts', 'created_at'] as const),
	...(['closed_at', 'closed_by', 'reason'] as const)
] as const;

export type StandingRow = Pick<RequestRow, (typeof STANDING_COLUMNS)[number]>;
export type ListedRow = Pick<RequestRow, (typeof LISTED_COLUMNS)[number]>;

/** The standing of a request: its state and its approvals. */
export interface StandingRequest extends Standing {
	id: string;
	/** Id of the transaction or migration; null for none. */
	subject: string | null;
	account: string;
	author: string;
	terms: readonly Term[];
	/** By the clock: an open request past its expiry is `expired`. */
	state: ApprovalState;
	/** Unix milliseconds. */
	expiresAt: number;
}

/** The standing, with what the request is about. */
export interface ListedRequest extends StandingRequest {
	kind: RequestRow['kind'];
	/** Id of the API token that the request came with; null for none. */
	token: string | null;
	wallet: string;
	chain: string;
	hash: string;
	movements: readonly Movement[];
	/** The movements in words. */
	summary: string;
	/** Unix milliseconds. */
	createdAt: number;
	closedAt: number | null;
	closedBy: string | null;
	reason: string | null;
}

/** The whole request, bytes included. */
export interface ApprovalRequest extends ListedRequest {
	hex: string;
	payouts: string | null;
	/** The stored facts: what the bytes did when approval was requested. */
	facts: string;
}

/** Reads how a request stands. `votes` and `members` may contain those of other requests; `now`: Unix milliseconds. */
export function readStanding(
	row: StandingRow,
	votes: readonly VoteRow[],
	members: readonly Voter[],
	now: number
): StandingRequest {
	const { id, subject, account, author, expires_at } = row;
	// The column is written only by this folder, from the same type.
	const terms = JSON.parse(row.terms) as readonly Term[];
	const own = votes.filter(({ request }) => request === id);
	return {
		id,
		subject,
		account,
		author,
		terms,
		...standingOf(terms, account, own, members),
		state: stateAt(row, now),
		expiresAt: Number(expires_at)
	};
}

/** Reads a request without its bytes. */
export function readListed(row: ListedRow, standing: StandingRequest): ListedRequest {
	const { kind, token, wallet, chain, hash, closed_at, reason } = row;
	const movements = readMovements(row.facts);
	return {
		...standing,
		kind,
		token,
		wallet,
		chain,
		hash,
		movements,
		reason,
		summary: movementWords(movements),
		createdAt: Number(row.created_at),
		closedAt: closed_at === null ? null : Number(closed_at),
		closedBy: row.closed_by
	};
}

/** Reads a request with its bytes. */
export const readRequest = (row: RequestRow, standing: StandingRequest): ApprovalRequest => ({
	...readListed(row, standing),
	hex: row.hex,
	payouts: row.payouts,
	facts: row.facts
});
