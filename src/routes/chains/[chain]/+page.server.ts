import { MAIN_CHAIN, isMainChain } from '#lib/chain/mainChain.ts';
import { PageClient } from '#lib/server/chains/explorer/pageClient.ts';
import type { Index } from '#lib/server/chains/indexer/open.ts';
import { readChainCcids } from '#lib/server/chains/lists/chainRoutes.ts';
import { chainCharts } from '#lib/server/chains/explorer/chainCharts.ts';
import { readReconciliation } from '#lib/server/chains/lists/reconciliation.ts';
import { blockList } from '#lib/server/chains/explorer/blocks.ts';
import { shownProgress } from '#lib/server/chains/explorer/indexAge.ts';
import { indexedGlance, indexedNewest } from '#lib/server/chains/explorer/indexedGlance.ts';
import { chainGlance } from '#lib/server/chains/explorer/overview.ts';
import { withLabels } from '#lib/server/wallet/address-book/withLabels.ts';
import type { PageServerLoad } from './$types';

const LATEST = 8;

/** Reads the routes between these chains; anyone can burn for an invented chain or CCid. */
async function routesBetween(index: Index, chains: readonly string[]) {
	const facts = await readChainCcids(index);
	return readReconciliation(
		index,
		facts.filter(({ name }) => chains.includes(name))
	);
}

export const load: PageServerLoad = async ({ locals, params: { chain } }) => {
	const visitor = locals.account === null;
	const client = new PageClient(locals.app.gateway, locals.requestId);
	const progress = await shownProgress(locals.app, chain);
	const chains = locals.app.gateway.chains();
	const [glance, blocks, charts, flows] = await Promise.all([
		chainGlance(client, chain, visitor, () => indexedGlance(locals.app.index, chain), {
			tip: progress?.hash ?? null,
			ofMany: false
		}),
		client.piece(
			chain,
			'latest blocks',
			() => blockList(client, chain, LATEST),
			() => indexedNewest(locals.app.index, chain, LATEST)
		),
		chainCharts(locals.app.index, chain),
		routesBetween(locals.app.index, chains)
	]);
	/** Visitors see the chain, but not the team's daemon. */
	const daemon = visitor ? undefined : client.daemon(chain);
	return withLabels(locals, {
		visitor,
		glance,
		blocks,
		progress,
		charts,
		flows: flows.filter(({ source, target }) => source === chain || target === chain),
		/** Whether the transaction on KMD that notarized this chain can be shown here. */
		onKmd: !isMainChain(chain) && chains.includes(MAIN_CHAIN),
		url: daemon?.url ?? null,
		lastGoodAt: daemon?.health.lastGoodAt ?? null,
		now: client.now
	});
};
