import { incompleteIndexes, isIncomplete } from '#lib/server/chains/explorer/incompleteIndexes.ts';
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
	const [{ rows, ...list }, progress, incomplete] = await Promise.all([
		listPage(app.index, transfers, url.searchParams, {
			fixed: inward ? { to: chain } : { from: chain }
		}),
		shownProgress(app, chain),
		inward ? incompleteIndexes(app) : []
	]);
	return withLabels(locals, {
		inward,
		list,
		progress,
		/** Other chains of which something may be missing: their blocks have the burns toward this one. */
		others: incomplete.filter(({ name }) => name !== chain),
		isIncomplete: isIncomplete(progress) || incomplete.length > 0,
		rows: await shownTransfers(locals, rows),
		names: app.gateway.chains(),
		now: Date.now()
	});
};
