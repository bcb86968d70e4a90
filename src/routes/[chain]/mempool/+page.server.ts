import { labelled } from '#lib/server/book/labelled.ts';
import { Ask } from '#lib/server/explorer/ask.ts';
import { shownProgress } from '#lib/server/explorer/indexAge.ts';
import { readMempool } from '#lib/server/explorer/mempool.ts';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, params: { chain } }) => {
	const ask = new Ask(locals.app.gateway, locals.requestId);
	const mempool = await ask.piece(chain, 'mempool', () => readMempool(ask, chain));
	const progress = await shownProgress(locals.app, chain);
	return labelled(locals, { mempool, progress, now: ask.now });
};
