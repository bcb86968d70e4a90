import { redirect } from '@sveltejs/kit';
import { incompleteIndexes } from '#lib/server/chains/explorer/incompleteIndexes.ts';
import { standsStill } from '#lib/server/chains/explorer/indexAge.ts';
import { PageClient } from '#lib/server/chains/explorer/pageClient.ts';
import { searchEverywhere } from '#lib/server/chains/explorer/searchEverywhere.ts';
import { searchLabels } from '#lib/server/wallet/address-book/search.ts';
import type { PageServerLoad } from './$types';

const MOST_LABELS = 20;

export const load: PageServerLoad = async ({ locals, url }) => {
	const { app, requestId } = locals;
	const asked = url.searchParams.get('q') ?? '';
	if (asked === '') return { text: '', result: null, incomplete: [] };
	const [labels, { text, ...found }, incomplete] = await Promise.all([
		searchLabels(locals, asked, MOST_LABELS),
		searchEverywhere(app.index, new PageClient(app.gateway, requestId), asked),
		/** Chains of which results may be missing. */
		incompleteIndexes(app)
	]);
	const result = {
		...found,
		hits: [...labels, ...found.hits],
		// A text that matches a label is a valid search, whatever else it is.
		fault: labels.length > 0 ? null : found.fault
	};
	const [only, second] = found.hits.filter(({ exact }) => exact);
	if (
		only !== undefined &&
		second === undefined &&
		labels.length === 0 &&
		result.problems.length === 0 &&
		!incomplete.some(({ progress }) => progress !== null && standsStill(progress))
	) {
		redirect(303, only.href);
	}
	return { text, result, incomplete };
};
