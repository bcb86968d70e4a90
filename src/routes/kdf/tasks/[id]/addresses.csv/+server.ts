import { error } from '@sveltejs/kit';
import { kdfTask } from '#lib/messages/pages/kdf.ts';
import { factsOf } from '#lib/server/kdf/holdings/balances.ts';
import type { Plain } from '#lib/server/kdf/client/plain.ts';
import { addressFile } from '../../../addressFile.ts';
import type { RequestHandler } from './$types';

/** Exports the addresses and balances of an activation. */
export const GET: RequestHandler = async ({ locals, params }) => {
	const row = await locals.app.activations.get(params.id);
	if (!row?.result) error(404, { message: kdfTask.noResult });
	const { lines } = factsOf(row.coin, JSON.parse(row.result) as Plain);
	const coin = await locals.app.activations.coins.find(row.coin);
	return addressFile(lines, coin, `addresses-${row.id}`);
};
