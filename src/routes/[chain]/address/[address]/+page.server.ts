import { error } from '@sveltejs/kit';
import { isValidAddress } from '#lib/chain/address.ts';
import { readAddress } from '#lib/server/explorer/address.ts';
import { Ask } from '#lib/server/explorer/ask.ts';
import { listPage } from '#lib/server/explorer/listPage.ts';
import { addressTransactions } from '#lib/server/indexer/read/addresses.ts';
import { chainProgress } from '#lib/server/indexer/read/chains.ts';
import { bytesHex } from '#lib/server/indexer/read/list.ts';
import { heightOfSeq } from '#lib/server/indexer/tables.ts';
import type { PageServerLoad } from './$types';

const HISTORY = 25;

export const load: PageServerLoad = async ({ locals, params: { chain, address }, url }) => {
	if (!isValidAddress(address))
		error(404, 'This is not an address: its check sum does not fit. A character may be wrong.');
	const ask = new Ask(locals.app.gateway, locals.requestId);
	const [view, list, progress] = await Promise.all([
		ask.piece(chain, `address ${address}`, () => readAddress(ask, chain, address)),
		listPage(locals.app.index, addressTransactions, url.searchParams, {
			chain,
			fixed: { address },
			limit: HISTORY
		}),
		chainProgress(locals.app.index, chain)
	]);
	return {
		address,
		view,
		progress,
		history: {
			...list,
			rows: list.rows.map(({ txid, ...row }) => ({
				...row,
				txid: bytesHex(txid),
				height: heightOfSeq(row.seq)
			}))
		}
	};
};
