import { error } from '@sveltejs/kit';
import { labelled } from '#lib/server/book/labelled.ts';
import { Ask } from '#lib/server/explorer/ask.ts';
import { indexedTransaction } from '#lib/server/explorer/indexedTransaction.ts';
import { fresh, mapPiece } from '#lib/server/explorer/piece.ts';
import { readTransaction } from '#lib/server/explorer/transaction.ts';
import { chainProgress } from '#lib/server/indexer/read/chains.ts';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, params: { chain, txid }, url }) => {
	const id = txid.toLowerCase();
	if (!/^[0-9a-f]{64}$/.test(id)) error(404, 'A transaction id has 64 hex digits.');
	const { index, gateway } = locals.app;
	const ask = new Ask(gateway, locals.requestId);
	const [known, progress] = await Promise.all([
		indexedTransaction(index, { chain, chains: gateway.chains() }, id),
		chainProgress(index, chain)
	]);
	const asDaemon = () =>
		ask.piece(chain, `transaction ${id}`, () => readTransaction(ask, chain, id));
	// The index holds no bytes: they are asked for when somebody wants to see them.
	if (known !== null) {
		const bytes = url.searchParams.has('bytes') ? await asDaemon() : null;
		// What pays coins and carries data may be of a kind that only the bytes tell.
		const view = known.view.kind === 'payment' ? (bytes?.data?.view ?? known.view) : known.view;
		return labelled(locals, {
			txid: id,
			transaction: fresh({ ...known, view }, ask.now),
			bytes: bytes && mapPiece(bytes, (found) => found.bytes),
			progress,
			now: ask.now
		});
	}
	const transaction = await asDaemon();
	if (transaction.state === 'missing' && transaction.problem.code === 'rpc')
		error(404, `${chain} knows no transaction ${id}, neither mined nor waiting.`);
	return labelled(locals, {
		txid: id,
		transaction: mapPiece(transaction, ({ view, mined }) => ({ view, mined })),
		bytes: transaction.state === 'missing' ? null : mapPiece(transaction, (found) => found.bytes),
		progress,
		now: ask.now
	});
};
