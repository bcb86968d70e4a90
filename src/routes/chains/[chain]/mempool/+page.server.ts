import { Ask } from '#lib/server/chains/explorer/ask.ts';
import { shownProgress } from '#lib/server/chains/explorer/indexAge.ts';
import { readMempool } from '#lib/server/chains/explorer/mempool.ts';
import { withLabels } from '#lib/server/wallet/address-book/withLabels.ts';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, params: { chain } }) => {
	const ask = new Ask(locals.app.gateway, locals.requestId);
	const mempool = await ask.piece(chain, 'mempool', () => readMempool(ask, chain));
	const progress = await shownProgress(locals.app, chain);
	return withLabels(locals, { mempool, progress, now: ask.now });
};
