import { json } from '@sveltejs/kit';
import { confusableTokens } from '#lib/server/wallet/drafts/confusableTokens.ts';
import type { RequestHandler } from './$types';

/** Tokens of the chain with names that are confusable with the one being typed. */
export const GET: RequestHandler = async ({ locals, params: { chain }, url }) => {
	const name = (url.searchParams.get('name') ?? '').slice(0, 200);
	return json({ name, alike: await confusableTokens(locals.app.index, chain, name) });
};
