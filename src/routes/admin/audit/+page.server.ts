import { fail } from '@sveltejs/kit';
import { checkedSentences, differenceSentence, faultSentence } from '#lib/messages/auditLog.ts';
import { AUDIT } from '#lib/messages/pages/audit.ts';
import { AUDIT_FILTERS, auditList } from '#lib/server/access/audit/list.ts';
import { MOST_FILTER_NAME } from '#lib/server/access/saved-filters/savedFilters.ts';
import { listPage } from '#lib/server/chains/explorer/listPage.ts';
import { auditTargets } from '#lib/server/cross-chain/audit-targets/auditTargets.ts';
import { readForm, text } from '#lib/server/platform/http/readForm.ts';
import { withLabels } from '#lib/server/wallet/address-book/withLabels.ts';
import { requireMember } from '../../requireMember.ts';
import type { Actions, PageServerLoad } from './$types';

const PAGE = 50;
const SEGMENTS = 20;

export const load: PageServerLoad = async ({ locals, url, setHeaders }) => {
	setHeaders({ 'cache-control': 'private, no-store' });
	const { db, index, audit, savedFilters } = locals.app;
	const { account } = requireMember(locals);
	const [list, status, segments, saved] = await Promise.all([
		listPage(db, auditList, url.searchParams, { limit: PAGE }),
		audit.status(),
		audit.segments(SEGMENTS),
		savedFilters.of(account.id, 'audit')
	]);
	const { check, rows, ...state } = status;
	return withLabels(locals, {
		list: { ...list, file: '/admin/audit/audit' },
		targets: await auditTargets(db, index, list.rows),
		saved,
		mostFilterName: MOST_FILTER_NAME,
		state,
		segments,
		/** Rows that were changed outside of Komodeck, one sentence each. */
		differences: (rows?.differences ?? []).map(differenceSentence),
		check: check && {
			at: check.at,
			rows: check.verdict.checked.rows,
			to: check.verdict.checked.to,
			fault: check.verdict.ok ? null : faultSentence(check.verdict),
			looked: checkedSentences(check.verdict.checked)
		},
		now: Date.now()
	});
};

export const actions: Actions = {
	verify: async ({ locals }) => {
		// The page shows why the copy could not be written, and the log is verified all the same.
		await locals.app.audit.keepOutside().catch(() => undefined);
		await locals.app.audit.check();
		await locals.app.audit.checkRows();
		return {};
	},

	saveFilter: async ({ locals, request }) => {
		const { account } = requireMember(locals);
		const { name, query } = await readForm(request, { name: text, query: text });
		const fault = await locals.app.savedFilters.save(account.id, 'audit', {
			name,
			parameters: new URLSearchParams(query),
			known: AUDIT_FILTERS
		});
		return fault === null
			? { notice: AUDIT.saved.done }
			: fail(400, { name, errors: { name: AUDIT.saved.faults[fault] } });
	},

	removeFilter: async ({ locals, request }) => {
		const { account } = requireMember(locals);
		const { name } = await readForm(request, { name: text });
		await locals.app.savedFilters.remove(account.id, 'audit', name);
		return { notice: AUDIT.saved.removed };
	}
};
