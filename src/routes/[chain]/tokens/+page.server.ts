import { Ask } from '#lib/server/explorer/ask.ts';
import { tokenPage } from '#lib/server/explorer/tokens.ts';
import type { PageServerLoad } from './$types';

const PAGE = 25;

export const load: PageServerLoad = async ({ locals, params: { chain }, url }) => {
	const ask = new Ask(locals.app.gateway, locals.requestId);
	const text = url.searchParams.get('page') ?? '';
	const page = /^\d{1,7}$/.test(text) ? Number(text) : 1;
	const tokens = await ask.piece(chain, `tokens ${page}`, () => tokenPage(ask, chain, page, PAGE));
	return { tokens, chains: locals.app.gateway.chains() };
};
