import { createAuditList } from '#lib/server/access/audit/list.ts';
import { listPage } from '#lib/server/chains/explorer/listPage.ts';
import { requireMember } from '../../requireMember.ts';
import type { PageServerLoad } from './$types';

const PAGE = 50;

export const load: PageServerLoad = async ({ locals, url, setHeaders }) => {
	setHeaders({ 'cache-control': 'private, no-store' });
	const { db, index } = locals.app;
	const { name } = requireMember(locals).account;
	const list = await listPage(index, createAuditList(db), url.searchParams, {
		limit: PAGE,
		fixed: { actor: name }
	});
	return { list, now: Date.now() };
};
