import { json } from '@sveltejs/kit';
import { tokensAlike } from '#lib/server/wallet/drafts/alike.ts';
import type { RequestHandler } from './$types';

/** Tokens of the chain whose names could be taken for this one, while it is being typed. */
export const GET: RequestHandler = async ({ locals, params: { chain }, url }) => {
	const name = (url.searchParams.get('name') ?? '').slice(0, 200);
	return json({ name, alike: await tokensAlike(locals.app.index, chain, name) });
};
