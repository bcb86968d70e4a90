import { json } from '@sveltejs/kit';
import { search } from '#lib/server/indexer/read/search.ts';
import type { RequestHandler } from './$types';

const MAX_ROWS = 10;
const PER_KIND = 5;

/** Suggestions while somebody types: what the index names by this text, at most ten. */
export const GET: RequestHandler = async ({ locals, url }) => {
	const { meanings, hits } = await search(locals.app.index, url.searchParams.get('q') ?? '', {
		limit: PER_KIND
	});
	return json({ text: meanings.text, hits: hits.slice(0, MAX_ROWS) });
};
