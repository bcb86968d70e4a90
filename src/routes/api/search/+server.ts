import { json } from '@sveltejs/kit';
import { searchIndex } from '#lib/server/indexer/read/searchEverywhere.ts';
import type { RequestHandler } from './$types';

const MAX_ROWS = 10;
const PER_KIND = 5;

/** Suggestions while somebody types: what the index names by this text, at most ten. */
export const GET: RequestHandler = async ({ locals: { app }, url }) => {
	const text = url.searchParams.get('q') ?? '';
	const found = await searchIndex(app.index, app.gateway.chains(), text, PER_KIND);
	return json({ text: found.text, hits: found.hits.slice(0, MAX_ROWS) });
};
