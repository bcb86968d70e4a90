import { auditList } from '#lib/server/access/audit/list.ts';
import type { Role } from '#lib/server/access/identity/roles.ts';
import { listPage } from '#lib/server/chains/explorer/listPage.ts';
import { auditTargets } from '#lib/server/cross-chain/audit-targets/auditTargets.ts';
import { withLabels } from '#lib/server/wallet/address-book/withLabels.ts';
import { requireMember } from '../../requireMember.ts';
import type { PageServerLoad } from './$types';

const PAGE = 50;

/** Returns null for links to admin pages, unless the reader is an admin. */
const reachable = (href: string | null, role: Role): string | null =>
	role !== 'admin' && href?.startsWith('/admin/') === true ? null : href;

export const load: PageServerLoad = async ({ locals, url, setHeaders }) => {
	setHeaders({ 'cache-control': 'private, no-store' });
	const { db, index } = locals.app;
	const { name, role } = requireMember(locals).account;
	const list = await listPage(db, auditList, url.searchParams, {
		limit: PAGE,
		fixed: { actor: name }
	});
	const targets = new Map(
		[...(await auditTargets(db, index, list.rows))].map(([seq, { text, href }]) => [
			seq,
			{ text, href: reachable(href, role) }
		])
	);
	return withLabels(locals, { list, targets, now: Date.now() });
};
