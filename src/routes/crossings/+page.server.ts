import { labelled } from '#lib/server/book/labelled.ts';
import { shownCrossings } from '#lib/server/explorer/crossings.ts';
import { listPage } from '#lib/server/explorer/listPage.ts';
import { crossings } from '#lib/server/indexer/read/crossings.ts';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, url }) => {
	const { app } = locals;
	const { rows, ...list } = await listPage(app.index, crossings, url.searchParams);
	return labelled(locals, {
		list,
		rows: await shownCrossings(app.db, rows),
		names: app.gateway.chains(),
		now: Date.now()
	});
};
