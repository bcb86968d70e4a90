import { createApprovalList } from '#lib/server/access/approvals/list.ts';
import { MOST_PAST, type Proposals } from '#lib/server/access/proposals/proposals.ts';
import { listPage } from '#lib/server/chains/explorer/listPage.ts';
import type { Account } from '#lib/server/access/identity/identity.ts';
import { requireMember } from '../requireMember.ts';
import { shownChange, type ShownChange } from './changes/shown.ts';
import { stateOf, tabOf } from './shown.ts';
import type { PageServerLoad } from './$types';

const ROWS = 50;

/** Returns the proposed changes of a tab; only admins see them. */
async function changesOf(
	proposals: Proposals,
	{ id, role }: Account,
	tab: ReturnType<typeof tabOf>
): Promise<ShownChange[]> {
	if (role !== 'admin') return [];
	const found = await proposals.list(tab === 'past' ? 'past' : 'open');
	return found
		.filter(({ account }) => tab === 'past' || (account === id) === (tab === 'own'))
		.map(shownChange);
}

export const load: PageServerLoad = async ({ locals, url, setHeaders }) => {
	setHeaders({ 'cache-control': 'private, no-store' });
	const { account } = requireMember(locals);
	const { approvals, db, proposals } = locals.app;
	const tab = tabOf(url.searchParams);
	const now = Date.now();
	const requests = createApprovalList(await approvals.readerOf(account), now);
	const list = await listPage(db, requests, url.searchParams, {
		fixed: { show: tab },
		limit: ROWS
	});
	return {
		tab,
		// Shown above the first page of requests only.
		changes: list.further ? [] : await changesOf(proposals, account, tab),
		mostPast: MOST_PAST,
		list: {
			...list,
			file: '/approvals/approvals',
			rows: list.rows.map((request) => ({
				id: request.id,
				author: request.author,
				chain: request.chain,
				summary: request.summary,
				missing: request.missing,
				createdAt: request.createdAt,
				kind: request.movements[0]?.kind ?? null,
				state: stateOf(request)
			}))
		},
		now
	};
};
