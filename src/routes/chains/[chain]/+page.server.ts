import { PageClient } from '#lib/server/chains/explorer/pageClient.ts';
import { blockList } from '#lib/server/chains/explorer/blocks.ts';
import { shownProgress } from '#lib/server/chains/explorer/indexAge.ts';
import { indexedGlance, indexedNewest } from '#lib/server/chains/explorer/indexedGlance.ts';
import { chainGlance } from '#lib/server/chains/explorer/overview.ts';
import { withLabels } from '#lib/server/wallet/address-book/withLabels.ts';
import type { PageServerLoad } from './$types';

const LATEST = 8;

export const load: PageServerLoad = async ({ locals, params: { chain } }) => {
	const visitor = locals.account === null;
	const client = new PageClient(locals.app.gateway, locals.requestId);
	const [glance, blocks, progress] = await Promise.all([
		chainGlance(client, chain, visitor, () => indexedGlance(locals.app.index, chain)),
		client.piece(
			chain,
			'latest blocks',
			() => blockList(client, chain, LATEST),
			() => indexedNewest(locals.app.index, chain, LATEST)
		),
		shownProgress(locals.app, chain)
	]);
	/** The daemon is the team's, and not of the chain. */
	const daemon = visitor ? undefined : client.daemon(chain);
	return withLabels(locals, {
		visitor,
		glance,
		blocks,
		progress,
		/** Whether the transaction that notarized this chain can be looked at here. */
		onKmd: chain !== 'KMD' && locals.app.gateway.chains().includes('KMD'),
		url: daemon?.url ?? null,
		lastGoodAt: daemon?.health.lastGoodAt ?? null,
		now: client.now
	});
};
