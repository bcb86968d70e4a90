/** Requests as a list, for their page and its export files, limited to what the reader may read. */
import { z } from 'zod';
import { approvalReasonWords } from '#lib/messages/approvalVoid.ts';
import { APPROVAL_TABS, APPROVALS } from '#lib/messages/pages/approvals.ts';
import { exportList } from '../../chains/lists/exportList.ts';
import { byCreation } from '../../chains/lists/byCreation.ts';
import { keysetPage } from '../../chains/lists/keyset.ts';
import { optionalText, type List } from '../../chains/lists/list.ts';
import { listQuery } from '../../chains/lists/listQuery.ts';
import type { Database } from '../../platform/database/database.ts';
import type { AccessTables } from '../tables.ts';
import { listedRequests } from './find.ts';
import { readableBy, waitsFor, type Reader } from './readers.ts';
import { LISTED_COLUMNS, type ListedRequest } from './request.ts';
import { isoTime } from '#lib/text/utc.ts';

const filter = z.object({ show: optionalText(z.enum(APPROVAL_TABS, APPROVALS.noTab)) });

const kindOf = ({ movements, kind }: ListedRequest): string => movements[0]?.kind ?? kind;
const reasonOf = ({ reason, state }: ListedRequest): string | null =>
	reason && approvalReasonWords(reason, state === 'voided');
const approversOf = ({ votes }: ListedRequest): string[] => votes.map(({ name }) => name);

/** @param now Unix milliseconds: requests past their expiry count as closed */
export function createApprovalList(
	reader: Reader,
	now: number
): List<ListedRequest, typeof filter, Database<AccessTables>> {
	return {
		name: 'approvals',
		summary: '',
		scope: 'all',
		filter,
		sorts: ['-created', 'created'],
		row: z.unknown(),
		wire: (request) => ({
			id: request.id,
			created: isoTime(request.createdAt),
			author: request.author,
			kind: kindOf(request),
			chain: request.chain,
			wallet: request.wallet,
			amount: request.summary,
			state: request.state,
			approvedBy: approversOf(request),
			closed: request.closedAt && isoTime(request.closedAt),
			closedBy: request.closedBy,
			reason: reasonOf(request),
			hash: request.hash
		}),
		columns: [
			{ title: 'created', value: ({ createdAt }) => isoTime(createdAt) },
			{ title: 'author', value: ({ author }) => author },
			{ title: 'kind', value: kindOf },
			{ title: 'chain', value: ({ chain }) => chain },
			{ title: 'wallet', value: ({ wallet }) => wallet },
			{ title: 'amount', value: ({ summary }) => summary },
			{ title: 'state', value: ({ state }) => state },
			{ title: 'approved by', value: (request) => approversOf(request).join(' ') },
			{ title: 'closed', value: ({ closedAt }) => closedAt && isoTime(closedAt) },
			{ title: 'closed by', value: ({ closedBy }) => closedBy },
			{ title: 'reason', value: reasonOf },
			{ title: 'hash', value: ({ hash }) => hash },
			{ title: 'id', value: ({ id }) => id }
		],
		async read(db, query) {
			const { show = 'waiting' } = query.filter;
			let rows = db
				.selectFrom('approval_requests')
				.select(LISTED_COLUMNS)
				.where(readableBy(reader));
			if (show === 'waiting') rows = rows.where(waitsFor(reader, now));
			if (show === 'own') rows = rows.where('account', '=', reader.id);
			if (show === 'past') {
				rows = rows.where(({ eb, or }) =>
					or([eb('state', '!=', 'open'), eb('expires_at', '<=', BigInt(now))])
				);
			}
			const page = await keysetPage(rows, byCreation(query.sort.startsWith('-')), query);
			return { ...page, rows: await listedRequests(db, page.rows, now) };
		}
	};
}

/**
 * Exports the matching requests as a file.
 * @param parameters the filter and the order, as in the page's address
 * @throws {AppError} `api`: a parameter is invalid
 */
export function approvalFile(
	db: Database<AccessTables>,
	reader: Reader,
	parameters: URLSearchParams,
	form: 'csv' | 'export'
): Promise<Response> {
	const list = createApprovalList(reader, Date.now());
	return exportList(db, list, listQuery(list, undefined, parameters), form, null);
}
