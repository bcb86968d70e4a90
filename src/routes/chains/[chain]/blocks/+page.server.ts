import { bytesToHex } from '#lib/chain/bytes.ts';
import { PageClient } from '#lib/server/chains/explorer/pageClient.ts';
import { blockList } from '#lib/server/chains/explorer/blocks.ts';
import { shownProgress } from '#lib/server/chains/explorer/indexAge.ts';
import { listPage } from '#lib/server/chains/explorer/listPage.ts';
import { blocks } from '#lib/server/chains/lists/blocks.ts';
import { isIndexedBut } from '#lib/server/chains/lists/chains.ts';
import { notarizedHeight } from '#lib/server/chains/lists/notarized.ts';
import { withLabels } from '#lib/server/wallet/address-book/withLabels.ts';
import type { PageServerLoad } from './$types';

const PAGE = 25;
/** Number of newest blocks to request from the daemon; done while the index is further behind than this. */
const NEWEST = 8;

export const load: PageServerLoad = async ({ locals, params: { chain }, url }) => {
	const { index, gateway } = locals.app;
	const [{ rows, ...list }, progress] = await Promise.all([
		listPage(index, blocks, url.searchParams, { chain, limit: PAGE }),
		shownProgress(locals.app, chain)
	]);
	const first = !list.further && Object.keys(list.given).length === 0;
	const behind = !isIndexedBut(progress, NEWEST);
	const client = new PageClient(gateway, locals.requestId);
	const [notarized, newest] = await Promise.all([
		progress === null ? 0 : notarizedHeight(index, progress),
		first && behind
			? client.piece(chain, 'newest blocks', () => blockList(client, chain, NEWEST))
			: null
	]);
	return withLabels(locals, {
		list,
		rows: rows.map(({ height, hash, time, size, txs }) => ({
			height: Number(height),
			hash: bytesToHex(hash),
			time: Number(time) * 1000,
			transactions: Number(txs),
			size: Number(size)
		})),
		progress,
		notarized,
		isBehind: !isIndexedBut(progress, 0),
		/** Null when the index has them. */
		newest,
		now: client.now
	});
};
