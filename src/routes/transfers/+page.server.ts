import { Ask } from '#lib/server/chains/explorer/ask.ts';
import { standingStill } from '#lib/server/chains/explorer/indexAge.ts';
import { listPage } from '#lib/server/chains/explorer/listPage.ts';
import { crossings } from '#lib/server/chains/lists/crossings.ts';
import { shownCrossings } from '#lib/server/cross-chain/transfers/crossings.ts';
import { pendingBurns } from '#lib/server/cross-chain/transfers/pendingBurns.ts';
import { labelled } from '#lib/server/wallet/address-book/labelled.ts';
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
