import { error } from '@sveltejs/kit';
import { transactionPage } from '#lib/messages/pages/transactionPage.ts';
import type { TransactionKind } from '#lib/messages/transactionKinds.ts';
import { PageClient } from '#lib/server/chains/explorer/pageClient.ts';
import { flowPage } from '#lib/server/chains/explorer/flowPage.ts';
import { fromIndex, lackingBlocks, shownProgress } from '#lib/server/chains/explorer/indexAge.ts';
import { indexedTransaction } from '#lib/server/chains/explorer/indexedTransaction.ts';
import { mapPiece, missing } from '#lib/server/chains/explorer/piece.ts';
import { readTransaction, type TransactionPage } from '#lib/server/chains/explorer/transaction.ts';
import { missingImports } from '#lib/server/cross-chain/transfers/missingImports.ts';
import { withLabels } from '#lib/server/wallet/address-book/withLabels.ts';
import { hashOr404 } from '../../../../hashOr404.ts';
import type { MissingImport } from '#lib/text/shownTransfer.ts';
import type { PageServerLoad } from './$types';

/** Kinds whose details are not in the index. */
const TOLD_BY_BYTES: ReadonlySet<TransactionKind> = new Set(['notary-approval']);

/** Returns what it means that no import of a burn is known; null for all other transactions. */
async function missingImport(
	{ index, gateway }: App.Locals['app'],
	{ view: { content }, mined }: TransactionPage,
	isIndexed: boolean
): Promise<MissingImport | null> {
	if (content.code !== 'burn' || content.import !== null) return null;
	// Only a burn in a block can have been imported.
	if (mined.height === null) return 'open';
	const missing = await missingImports(index, gateway.chains(), [content.target]);
	return missing(content.target, isIndexed);
}

export const load: PageServerLoad = async ({ locals, params: { chain, txid }, url }) => {
	const id = hashOr404(txid, transactionPage.notAnId);
	const { index, gateway, sender } = locals.app;
	const client = new PageClient(gateway, locals.requestId);
	const text = url.searchParams.get('page') ?? '';
	const page = /^\d{1,7}$/.test(text) ? Number(text) : 1;
	const decimals = await sender.allDecimals(chain);
	const [known, progress] = await Promise.all([
		indexedTransaction(index, chain, id, decimals),
		shownProgress(locals.app, chain)
	]);
	const asDaemon = () =>
		client.piece(chain, `transaction ${id}`, () => readTransaction(client, chain, id, index));
	// The index has no raw transactions, so they are requested only when the user asks to see one.
	if (known !== null) {
		const wanted = url.searchParams.has('bytes');
		// The subject of a notary approval, and the form of data in a payment, are known only from the raw
		// transaction.
		const { kind } = known.view;
		const told = wanted || TOLD_BY_BYTES.has(kind) ? await asDaemon() : null;
		const isDaemonBetter = kind === 'transfer' || TOLD_BY_BYTES.has(kind);
		const view = isDaemonBetter ? (told?.data?.view ?? known.view) : known.view;
		const bytes = wanted ? told : null;
		return withLabels(locals, {
			txid: id,
			missing: await missingImport(locals.app, known, true),
			transaction: fromIndex({ ...known, ...flowPage(view, page) }, progress, client.now),
			bytes: bytes && mapPiece(bytes, (found) => found.bytes),
			progress,
			names: gateway.chains()
		});
	}
	const told = await asDaemon();
	const isDenied = told.state === 'missing' && told.problem.code === 'daemon.rpc-error';
	// A daemon without a transaction index does not find transactions whose outputs are all spent.
	const lacking = isDenied ? lackingBlocks(chain, progress) : null;
	if (isDenied && lacking === null) error(404, transactionPage.unknown(chain, id));
	const transaction = lacking === null ? told : missing<NonNullable<typeof told.data>>(lacking);
	return withLabels(locals, {
		txid: id,
		missing: transaction.data && (await missingImport(locals.app, transaction.data, false)),
		transaction: mapPiece(transaction, ({ view, mined }) => ({ mined, ...flowPage(view, page) })),
		bytes: transaction.state === 'missing' ? null : mapPiece(transaction, (found) => found.bytes),
		progress,
		names: gateway.chains()
	});
};
