import { shownProgress } from '#lib/server/chains/explorer/indexAge.ts';
import { listPage } from '#lib/server/chains/explorer/listPage.ts';
import { crossings } from '#lib/server/chains/lists/crossings.ts';
import { shownCrossings } from '#lib/server/cross-chain/transfers/crossings.ts';
import { labelled } from '#lib/server/wallet/address-book/labelled.ts';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, params: { chain }, url }) => {
	const { app } = locals;
	// A list goes one way; the other one is a choice away.
	const inward = url.searchParams.get('way') === 'in';
	const [{ rows, ...list }, progress] = await Promise.all([
		listPage(app.index, crossings, url.searchParams, {
			fixed: inward ? { to: chain } : { from: chain }
		}),
		shownProgress(app, chain)
	]);
	return labelled(locals, {
		inward,
		list,
		progress,
		rows: await shownCrossings(locals, rows),
		names: app.gateway.chains(),
		now: Date.now()
	});
};
