import { shownCrossings } from '#lib/server/explorer/crossings.ts';
import { listPage } from '#lib/server/explorer/listPage.ts';
import { chainProgress } from '#lib/server/indexer/read/chains.ts';
import { crossings } from '#lib/server/indexer/read/crossings.ts';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals: { app }, params: { chain }, url }) => {
	// A list goes one way; the other one is a choice away.
	const way: 'in' | 'out' = url.searchParams.get('way') === 'in' ? 'in' : 'out';
	const [{ rows, ...list }, progress] = await Promise.all([
		listPage(app.index, crossings, url.searchParams, {
			fixed: way === 'in' ? { to: chain } : { from: chain }
		}),
		chainProgress(app.index, chain)
	]);
	return {
		way,
		list,
		progress,
		rows: await shownCrossings(app.db, rows),
		names: app.gateway.chains(),
		now: Date.now()
	};
};
