import { labelled } from '#lib/server/book/labelled.ts';
import { Ask } from '#lib/server/explorer/ask.ts';
import { shownCrossings } from '#lib/server/explorer/crossings.ts';
import { listPage } from '#lib/server/explorer/listPage.ts';
import { pendingBurns } from '#lib/server/explorer/pendingBurns.ts';
import { crossings } from '#lib/server/indexer/read/crossings.ts';
import { standingStill } from '#lib/server/explorer/indexAge.ts';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, url }) => {
	const { app } = locals;
	const { rows, ...list } = await listPage(app.index, crossings, url.searchParams);
	const ask = new Ask(app.gateway, locals.requestId);
	return labelled(locals, {
		list,
		pending: await pendingBurns(ask, locals),
		rows: await shownCrossings(locals, rows),
		names: app.gateway.chains(),
		/** Chains of which only what was known is shown. */
		still: await standingStill(app),
		now: Date.now()
	});
};
