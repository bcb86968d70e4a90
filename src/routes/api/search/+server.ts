import { json } from '@sveltejs/kit';
import { searchIndex } from '#lib/server/chains/lists/searchEverywhere.ts';
import { searchLabels } from '#lib/server/wallet/address-book/search.ts';
import type { RequestHandler } from './$types';

const MAX_ROWS = 10;
const PER_KIND = 5;
const PER_LABELS = 3;

/** Search suggestions: what the team's labels and the index name by this text, at most ten. */
export const GET: RequestHandler = async ({ locals, url }) => {
	const { app } = locals;
	const text = url.searchParams.get('q') ?? '';
	const [labels, found] = await Promise.all([
		searchLabels(locals, text, PER_LABELS),
		searchIndex(app.index, app.gateway.chains(), text, PER_KIND)
	]);
	return json({ text: found.text, hits: [...labels, ...found.hits].slice(0, MAX_ROWS) });
};
