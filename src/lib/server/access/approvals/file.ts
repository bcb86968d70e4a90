import { csvLine } from '../../chains/lists/csv.ts';
import type { ApprovalRequest } from './request.ts';

const COLUMNS = [
	...['created', 'author', 'kind', 'chain', 'wallet', 'amount', 'state', 'approved by'],
	...['closed', 'closed by', 'reason', 'hash', 'id']
];

const iso = (time: number | null): string | null =>
	time === null ? null : new Date(time).toISOString();

/** Requests as a file of comma-separated values. */
export const approvalFile = (requests: readonly ApprovalRequest[]): string =>
	[
		csvLine(COLUMNS),
		...requests.map((request) =>
			csvLine([
				...[iso(request.createdAt), request.author, request.movements[0]?.kind ?? request.kind],
				...[request.chain, request.wallet, request.summary, request.state],
				request.votes.map(({ name }) => name).join(' '),
				...[iso(request.closedAt), request.closedBy, request.reason, request.hash, request.id]
			])
		)
	].join('');
