import { redirect } from '@sveltejs/kit';
import { Ask } from '#lib/server/explorer/ask.ts';
import { readQuery, search } from '#lib/server/explorer/search.ts';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, url }) => {
	const text = (url.searchParams.get('q') ?? '').slice(0, 200);
	if (text === '') return { text, result: null };
	const ask = new Ask(locals.app.gateway, locals.requestId);
	const result = await search(ask, readQuery(text));
	const [only, second] = result.hits;
	if (only !== undefined && second === undefined && result.problems.length === 0)
		redirect(303, only.href);
	return { text, result };
};
