import { Ask } from '#lib/server/explorer/ask.ts';
import { tokenPage } from '#lib/server/explorer/tokens.ts';
import type { PageServerLoad } from './$types';

const PAGE = 25;

export const load: PageServerLoad = async ({ locals, params: { chain }, url }) => {
	const ask = new Ask(locals.app.gateway, locals.requestId);
	const text = url.searchParams.get('page') ?? '';
	const page = /^\d{1,7}$/.test(text) ? Number(text) : 1;
	const wanted = (url.searchParams.get('q') ?? '').trim().slice(0, 100);
	const tokens = await ask.piece(chain, `tokens ${page} ${wanted}`, () =>
		tokenPage(ask, chain, { text: wanted, page, size: PAGE })
	);
	return { tokens, wanted, chains: locals.app.gateway.chains() };
};
