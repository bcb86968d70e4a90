import { sidebarChains } from '#lib/server/chains/explorer/sidebar.ts';
import { chainRoutes, readChainFacts } from '#lib/server/chains/lists/chainRoutes.ts';
import { readRouteFlows } from '#lib/server/chains/lists/routeFlows.ts';
import { readReconciliation } from '#lib/server/chains/lists/reconciliation.ts';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals: { app } }) => {
	const facts = await readChainFacts(app.index);
	const shown = sidebarChains(app.gateway);
	const configured = shown.map(({ name }) => name);
	const down = shown.filter(({ state }) => state === 'bad').map(({ name }) => name);
	const here = facts.filter(({ name }) => configured.includes(name));
	const flows = await readReconciliation(app.index, here);
	const now = Date.now();
	const map = chainRoutes(here, flows, new Set(down));
	return {
		map,
		/** Burned amounts by day, for routes with burns. */
		flows: await readRouteFlows(app.index, map.routes, now),
		down,
		/** Chains whose index has not started: their routes are not known yet. */
		unseen: configured.filter((name) => !here.some((chain) => chain.name === name)),
		now
	};
};
