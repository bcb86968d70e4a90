import { redirect } from '@sveltejs/kit';
import { Ask } from '#lib/server/explorer/ask.ts';
import { searchEverywhere } from '#lib/server/indexer/read/searchEverywhere.ts';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals: { app, requestId }, url }) => {
	const asked = url.searchParams.get('q') ?? '';
	if (asked === '') return { text: '', result: null };
	const { text, ...result } = await searchEverywhere(
		app.index,
		new Ask(app.gateway, requestId),
		asked
	);
	const [only, second] = result.hits.filter(({ exact }) => exact);
	if (only !== undefined && second === undefined && result.problems.length === 0) {
		redirect(303, only.href);
	}
	return { text, result };
};
