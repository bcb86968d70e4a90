import { shownProgress } from '#lib/server/chains/explorer/indexAge.ts';
import { listPage } from '#lib/server/chains/explorer/listPage.ts';
import { transactionLines } from '#lib/server/chains/explorer/transactionLines.ts';
import { transactions } from '#lib/server/chains/lists/transactions.ts';
import { withLabels } from '#lib/server/wallet/address-book/withLabels.ts';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, params: { chain }, url }) => {
	const { index, sender } = locals.app;
	const [{ rows, ...list }, progress, decimals] = await Promise.all([
		listPage(index, transactions, url.searchParams, { chain }),
		shownProgress(locals.app, chain),
		sender.allDecimals(chain)
	]);
	return withLabels(locals, {
		list,
		rows:
			progress === null
				? []
				: await transactionLines(index, { id: progress.id, name: chain }, rows, decimals),
		progress,
		now: Date.now()
	});
};
