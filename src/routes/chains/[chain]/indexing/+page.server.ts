import { indexing as words } from '#lib/messages/pages/indexing.ts';
import { fail } from '@sveltejs/kit';
import { readHeight } from '#lib/text/height.ts';
import { shownProgress } from '#lib/server/chains/explorer/indexAge.ts';
import { isAppError } from '#lib/server/platform/errors/appError.ts';
import { readForm, trimmed } from '#lib/server/platform/http/readForm.ts';
import { requireMember } from '../../../requireMember.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, params: { chain }, setHeaders }) => {
	setHeaders({ 'cache-control': 'private, no-store' });
	const [progress, pausedBy] = await Promise.all([
		shownProgress(locals.app, chain),
		locals.app.indexOrders.pausedBy(chain)
	]);
	return { progress, pausedBy, now: Date.now() };
};

/** Reports why an order to the index was refused. */
function refused(cause: unknown, typed: string) {
	if (!isAppError(cause, 'indexer', 'account')) throw cause;
	return fail(cause.status, { typed, error: cause.message });
}

export const actions: Actions = {
	pause: async ({ locals, params: { chain } }) => {
		const { account } = requireMember(locals);
		try {
			const changed = await locals.app.indexOrders.pause(chain, account);
			return { done: changed ? words.pause.paused : words.pause.wasPaused };
		} catch (cause) {
			return refused(cause, '');
		}
	},

	resume: async ({ locals, params: { chain } }) => {
		const { account } = requireMember(locals);
		try {
			const changed = await locals.app.indexOrders.resume(chain, account);
			return { done: changed ? words.pause.resumed : words.pause.wasRunning };
		} catch (cause) {
			return refused(cause, '');
		}
	},

	/** Shows what would be indexed again; nothing is ordered yet. */
	review: async ({ request, locals, params: { chain } }) => {
		const { from: typed } = await readForm(request, { from: trimmed });
		const from = readHeight(typed);
		if (from === null) return fail(400, { typed, error: words.reindex.notNumber });
		try {
			return { typed, review: { from, to: await locals.app.indexOrders.lastOf(chain, from) } };
		} catch (cause) {
			return refused(cause, typed);
		}
	},

	reindex: async ({ request, locals, params: { chain } }) => {
		const { account } = requireMember(locals);
		const { from: typed } = await readForm(request, { from: trimmed });
		const from = readHeight(typed);
		if (from === null) return fail(400, { typed, error: words.reindex.notNumber });
		try {
			await locals.app.indexOrders.reindex(chain, from, account);
			return { done: words.reindex.ordered(from) };
		} catch (cause) {
			return refused(cause, typed);
		}
	}
};
