import { labelled } from '#lib/server/book/labelled.ts';
import { listPage } from '#lib/server/explorer/listPage.ts';
import { addresses } from '#lib/server/indexer/read/addresses.ts';
import { shownProgress } from '#lib/server/explorer/indexAge.ts';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, params: { chain }, url }) => {
	const { app } = locals;
	const [{ rows, ...list }, progress] = await Promise.all([
		listPage(app.index, addresses, url.searchParams, { chain }),
		shownProgress(app, chain)
	]);
	return labelled(locals, { list, rows, progress });
};
