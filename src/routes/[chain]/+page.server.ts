import { labelled } from '#lib/server/book/labelled.ts';
import { Ask } from '#lib/server/explorer/ask.ts';
import { blockList } from '#lib/server/explorer/blocks.ts';
import { chainGlance } from '#lib/server/explorer/overview.ts';
import { chainProgress } from '#lib/server/indexer/read/chains.ts';
import type { PageServerLoad } from './$types';

const LATEST = 8;

export const load: PageServerLoad = async ({ locals, params: { chain } }) => {
	const ask = new Ask(locals.app.gateway, locals.requestId);
	const [glance, blocks, progress] = await Promise.all([
		chainGlance(ask, chain),
		ask.piece(chain, 'latest blocks', () => blockList(ask, chain, LATEST)),
		chainProgress(locals.app.index, chain)
	]);
	const daemon = ask.daemon(chain);
	return labelled(locals, {
		glance,
		blocks,
		progress,
		/** Whether the transaction that notarized this chain can be looked at here. */
		onKmd: chain !== 'KMD' && locals.app.gateway.chains().includes('KMD'),
		url: daemon?.url ?? null,
		lastGoodAt: daemon?.health.lastGoodAt ?? null,
		now: ask.now
	});
};
