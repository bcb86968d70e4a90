import { railOf } from '#lib/server/chains/explorer/rail.ts';
import { chainMap, readChainFacts } from '#lib/server/chains/lists/chainMap.ts';
import { readLedger } from '#lib/server/chains/lists/ledger.ts';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals: { app } }) => {
	const [facts, flows] = await Promise.all([readChainFacts(app.index), readLedger(app.index)]);
	const rail = railOf(app.gateway);
	const configured = rail.map(({ name }) => name);
	const down = rail.filter(({ state }) => state === 'bad').map(({ name }) => name);
	const here = facts.filter(({ name }) => configured.includes(name));
	return {
		map: chainMap(here, flows, new Set(down)),
		down,
		/** Chains whose index has not begun: what may go from them is not known yet. */
		unseen: configured.filter((name) => !here.some((chain) => chain.name === name)),
		now: Date.now()
	};
};
