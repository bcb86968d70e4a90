import { json } from '@sveltejs/kit';
import { search } from '#lib/server/chains/lists/search.ts';
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
		search(app.index, text, { limit: PER_KIND, configured: app.gateway.chains() })
	]);
	return json({ text: found.meanings.text, hits: [...labels, ...found.hits].slice(0, MAX_ROWS) });
};
