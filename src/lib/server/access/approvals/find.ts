/** Reads requests with their current standing, and only the columns that the caller needs. */
import type { Executor } from '../../platform/database/database.ts';
import type { AccessTables } from '../tables.ts';
import {
	readListed,
	readRequest,
	readStanding,
	type ApprovalRequest,
	type ListedRequest,
	type ListedRow,
	type RequestRow,
	type StandingRequest,
	type StandingRow,
	type VoteRow
} from './request.ts';
import { votersOf } from '../policy/rules/voters.ts';

/** The approvals of requests, oldest first. */
export async function votesOf(
	within: Executor<AccessTables>,
	ids: readonly string[]
): Promise<VoteRow[]> {
	if (ids.length === 0) return [];
	return within
		.selectFrom('approval_votes')
		.selectAll()
		.where('request', 'in', ids)
		.orderBy('at')
		.orderBy('account')
		.execute();
}

async function standings<Row extends StandingRow, Request>(
	within: Executor<AccessTables>,
	rows: readonly Row[],
	now: number,
	read: (row: Row, standing: StandingRequest) => Request
): Promise<Request[]> {
	if (rows.length === 0) return [];
	const ids = rows.map(({ id }) => id);
	const votes = await votesOf(within, ids);
	const members = await votersOf(within);
	return rows.map((row) => read(row, readStanding(row, votes, members, now)));
}

/** Adds to each row how its votes stand at `now` (Unix milliseconds). */
export const standingRequests = (
	within: Executor<AccessTables>,
	rows: readonly StandingRow[],
	now: number
): Promise<StandingRequest[]> => standings(within, rows, now, (_row, standing) => standing);

/** Reads rows for lists, with how their votes stand at `now` (Unix milliseconds). */
export const listedRequests = (
	within: Executor<AccessTables>,
	rows: readonly ListedRow[],
	now: number
): Promise<ListedRequest[]> => standings(within, rows, now, readListed);

/** Returns a whole request with its bytes; null when there is no row. */
export async function approvalRequestOf(
	within: Executor<AccessTables>,
	row: RequestRow | undefined,
	now: number
): Promise<ApprovalRequest | null> {
	return (await standings(within, row ? [row] : [], now, readRequest))[0] ?? null;
}
