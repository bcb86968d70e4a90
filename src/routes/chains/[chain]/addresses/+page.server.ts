import { shownProgress } from '#lib/server/chains/explorer/indexAge.ts';
import { listPage } from '#lib/server/chains/explorer/listPage.ts';
import { addresses } from '#lib/server/chains/lists/addresses.ts';
import { withLabels } from '#lib/server/wallet/address-book/withLabels.ts';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, params: { chain }, url }) => {
	const { app } = locals;
	const [{ rows, ...list }, progress] = await Promise.all([
		listPage(app.index, addresses, url.searchParams, { chain }),
		shownProgress(app, chain)
	]);
	return withLabels(locals, { list, rows, progress });
};
