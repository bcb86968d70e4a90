import { createAuditList } from '#lib/server/access/audit/list.ts';
import { checkedSentences, differenceSentence, faultSentence } from '#lib/messages/auditLog.ts';
import { listPage } from '#lib/server/chains/explorer/listPage.ts';
import type { Actions, PageServerLoad } from './$types';

const PAGE = 50;
const SEGMENTS = 20;

export const load: PageServerLoad = async ({ locals, url, setHeaders }) => {
	setHeaders({ 'cache-control': 'private, no-store' });
	const { db, index, audit } = locals.app;
	const [list, standing, segments] = await Promise.all([
		listPage(index, createAuditList(db), url.searchParams, { limit: PAGE }),
		audit.standing(),
		audit.segments(SEGMENTS)
	]);
	const { check, differences, ...state } = standing;
	return {
		list: { ...list, file: '/admin/audit/audit' },
		state,
		segments,
		/** Rows that were written outside of Komodeck, a sentence for each. */
		differences: differences.map(differenceSentence),
		check: check && {
			at: check.at,
			rows: check.verdict.checked.rows,
			to: check.verdict.checked.to,
			fault: check.verdict.ok ? null : faultSentence(check.verdict),
			looked: checkedSentences(check.verdict.checked)
		},
		now: Date.now()
	};
};

export const actions: Actions = {
	verify: async ({ locals }) => {
		await locals.app.audit.keepOutside();
		const { verdict } = await locals.app.audit.check();
		const differences = await locals.app.audit.checkRows();
		return { whole: verdict.ok && differences.length === 0 };
	}
};
