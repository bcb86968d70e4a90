import { error } from '@sveltejs/kit';
import { Ask } from '#lib/server/explorer/ask.ts';
import { readTransaction } from '#lib/server/explorer/transaction.ts';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, params: { chain, txid } }) => {
	const id = txid.toLowerCase();
	if (!/^[0-9a-f]{64}$/.test(id)) error(404, 'A transaction id has 64 hex digits.');
	const ask = new Ask(locals.app.gateway, locals.requestId);
	const transaction = await ask.piece(chain, `transaction ${id}`, () =>
		readTransaction(ask, chain, id)
	);
	if (transaction.state === 'missing' && transaction.problem.code === 'rpc')
		error(404, `${chain} knows no transaction ${id}, neither mined nor waiting.`);
	return { txid: id, transaction, now: ask.now };
};
