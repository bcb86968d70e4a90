import { PageClient } from '#lib/server/chains/explorer/pageClient.ts';
import { incompleteIndexes } from '#lib/server/chains/explorer/incompleteIndexes.ts';
import { listPage } from '#lib/server/chains/explorer/listPage.ts';
import { transfers } from '#lib/server/chains/lists/transfers.ts';
import { shownTransfers } from '#lib/server/cross-chain/transfers/transfers.ts';
import { pendingBurns } from '#lib/server/cross-chain/transfers/pendingBurns.ts';
import { withLabels } from '#lib/server/wallet/address-book/withLabels.ts';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, url }) => {
	const { app } = locals;
	const { rows, ...list } = await listPage(app.index, transfers, url.searchParams);
	const client = new PageClient(app.gateway, locals.requestId);
	return withLabels(locals, {
		list,
		pending: await pendingBurns(client, locals),
		rows: await shownTransfers(locals, rows),
		names: app.gateway.chains(),
		/** Chains of which something may be missing. */
		incomplete: await incompleteIndexes(app),
		now: Date.now()
	});
};
