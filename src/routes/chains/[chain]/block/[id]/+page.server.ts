import { error } from '@sveltejs/kit';
import { blockPage } from '#lib/messages/pages/blockPage.ts';
import { PageClient } from '#lib/server/chains/explorer/pageClient.ts';
import { readBlock, readHeader } from '#lib/server/chains/explorer/block.ts';
import { fromIndex, shownProgress } from '#lib/server/chains/explorer/indexAge.ts';
import { indexedBlock } from '#lib/server/chains/explorer/indexedBlock.ts';
import { transactionLines } from '#lib/server/chains/explorer/transactionLines.ts';
import { listPage } from '#lib/server/chains/explorer/listPage.ts';
import { transactions } from '#lib/server/chains/lists/transactions.ts';
import { withLabels } from '#lib/server/wallet/address-book/withLabels.ts';
import type { PageServerLoad } from './$types';

const PAGE = 50;

export const load: PageServerLoad = async ({ locals, params: { chain, id }, url }) => {
	if (!/^(\d{1,9}|[0-9a-fA-F]{64})$/.test(id)) error(404, blockPage.notAnId);
	const { index, gateway, sender } = locals.app;
	const client = new PageClient(gateway, locals.requestId);
	const name = id.toLowerCase();
	const [known, progress] = await Promise.all([
		indexedBlock(index, chain, name),
		shownProgress(locals.app, chain)
	]);
	if (known !== null) {
		const [{ rows, ...list }, header] = await Promise.all([
			listPage(index, transactions, url.searchParams, {
				chain,
				fixed: { block: String(known.height) },
				sort: 'place',
				limit: PAGE
			}),
			// The index has no headers, so they are requested only when the user asks to see one.
			url.searchParams.has('header')
				? client.piece(chain, `header ${known.hash}`, () => readHeader(client, chain, known.hash))
				: null
		]);
		const lines =
			progress === null
				? []
				: await transactionLines(
						index,
						{ id: progress.id, name: chain },
						rows,
						await sender.allDecimals(chain)
					);
		return withLabels(locals, {
			id,
			block: fromIndex(known, progress, client.now),
			lines,
			list,
			header,
			pages: null,
			takenBack: false,
			progress,
			now: client.now
		});
	}
	const text = url.searchParams.get('page') ?? '';
	const wanted = /^\d{1,7}$/.test(text) ? Number(text) : 1;
	const asked = await client.piece(chain, `block ${name} ${wanted}`, () =>
		readBlock(client, chain, name, wanted, PAGE)
	);
	if (asked.state === 'missing') {
		if (asked.problem.code === 'daemon.rpc-error') error(404, blockPage.unknown(chain, id));
		return withLabels(locals, {
			id,
			block: asked,
			lines: [],
			list: null,
			header: null,
			pages: null,
			takenBack: false,
			progress,
			now: client.now
		});
	}
	const { transactions: lines, header, page, pages, takenBack, ...block } = asked.data;
	return withLabels(locals, {
		id,
		block: { ...asked, data: block },
		lines,
		list: null,
		header: { ...asked, data: header },
		pages: { page, pages },
		/** Whether a reorganization disconnected the block: it is not part of the chain. */
		takenBack,
		progress,
		now: client.now
	});
};
