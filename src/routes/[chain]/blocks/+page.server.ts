import { Ask } from '#lib/server/explorer/ask.ts';
import { blockList } from '#lib/server/explorer/blocks.ts';
import type { PageServerLoad } from './$types';

const PAGE = 20;

export const load: PageServerLoad = async ({ locals, params: { chain }, url }) => {
	const ask = new Ask(locals.app.gateway, locals.requestId);
	const text = url.searchParams.get('from') ?? '';
	const from = /^\d{1,9}$/.test(text) ? Number(text) : undefined;
	const blocks = await ask.piece(chain, `blocks from ${from ?? 'tip'}`, () =>
		blockList(ask, chain, PAGE, from)
	);
	return { blocks, size: PAGE, now: ask.now };
};
