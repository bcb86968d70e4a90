import { RECONCILIATION } from '#lib/messages/pages/reconciliation.ts';
import { incompleteIndexes } from '#lib/server/chains/explorer/incompleteIndexes.ts';
import { AGES, readConservation, readOldestOpen } from '#lib/server/chains/lists/conservation.ts';
import { shownTransfers } from '#lib/server/cross-chain/transfers/transfers.ts';
import type { PageServerLoad } from './$types';

/** Number of open burns listed on the page; the list of transfers has all of them. */
const NAMED = 25;

export const load: PageServerLoad = async ({ locals }) => {
	const { app } = locals;
	const now = Date.now();
	const [{ groups, rest }, oldest] = await Promise.all([
		readConservation(app.index, Math.floor(now / 1000)),
		readOldestOpen(app.index, NAMED)
	]);
	return {
		groups,
		/** Number of routes that are not shown. */
		rest,
		ages: AGES.map(({ code }) => RECONCILIATION.ages[code]),
		oldest: await shownTransfers(locals, oldest),
		named: NAMED,
		names: app.gateway.chains(),
		/** Chains of which something may be missing. */
		incomplete: await incompleteIndexes(app),
		now
	};
};
