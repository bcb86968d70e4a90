import { error } from '@sveltejs/kit';
import { Ask } from '#lib/server/explorer/ask.ts';
import { readBlock } from '#lib/server/explorer/block.ts';
import type { PageServerLoad } from './$types';

const PAGE = 50;

export const load: PageServerLoad = async ({ locals, params: { chain, id }, url }) => {
	if (!/^(\d{1,9}|[0-9a-fA-F]{64})$/.test(id))
		error(404, 'A block has a height, or a hash of 64 hex digits.');
	const ask = new Ask(locals.app.gateway, locals.requestId);
	const text = url.searchParams.get('page') ?? '';
	const page = /^\d{1,7}$/.test(text) ? Number(text) : 1;
	const name = id.toLowerCase();
	const block = await ask.piece(chain, `block ${name} ${page}`, () =>
		readBlock(ask, chain, name, page, PAGE)
	);
	if (block.state === 'missing' && block.problem.code === 'rpc')
		error(404, `${chain} has no block ${id}.`);
	return { id, block, now: ask.now };
};
