import { shownProgress } from '#lib/server/chains/explorer/indexAge.ts';
import { listPage } from '#lib/server/chains/explorer/listPage.ts';
import { transfers } from '#lib/server/chains/lists/transfers.ts';
import { shownTransfers } from '#lib/server/cross-chain/transfers/transfers.ts';
import { withLabels } from '#lib/server/wallet/address-book/withLabels.ts';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, params: { chain }, url }) => {
	const { app } = locals;
	// The list shows one direction at a time.
	const inward = url.searchParams.get('way') === 'in';
	const [{ rows, ...list }, progress] = await Promise.all([
		listPage(app.index, transfers, url.searchParams, {
			fixed: inward ? { to: chain } : { from: chain }
		}),
		shownProgress(app, chain)
	]);
	return withLabels(locals, {
		inward,
		list,
		progress,
		rows: await shownTransfers(locals, rows),
		names: app.gateway.chains(),
		now: Date.now()
	});
};
