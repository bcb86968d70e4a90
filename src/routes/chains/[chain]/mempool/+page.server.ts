import { PageClient } from '#lib/server/chains/explorer/pageClient.ts';
import { shownProgress } from '#lib/server/chains/explorer/indexAge.ts';
import { readMempool } from '#lib/server/chains/explorer/mempool.ts';
import { withLabels } from '#lib/server/wallet/address-book/withLabels.ts';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, params: { chain } }) => {
	const client = new PageClient(locals.app.gateway, locals.requestId);
	const mempool = await client.piece(chain, 'mempool', () => readMempool(client, chain));
	const progress = await shownProgress(locals.app, chain);
	return withLabels(locals, { mempool, progress, now: client.now });
};
