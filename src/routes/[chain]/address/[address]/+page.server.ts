import { error } from '@sveltejs/kit';
import { isValidAddress } from '#lib/chain/address.ts';
import { readAddress } from '#lib/server/explorer/address.ts';
import { Ask } from '#lib/server/explorer/ask.ts';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, params: { chain, address } }) => {
	if (!isValidAddress(address))
		error(404, 'This is not an address: its check sum does not fit. A character may be wrong.');
	const ask = new Ask(locals.app.gateway, locals.requestId);
	const view = await ask.piece(chain, `address ${address}`, () => readAddress(ask, chain, address));
	return { address, view };
};
