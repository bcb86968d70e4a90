import { listPage } from '#lib/server/explorer/listPage.ts';
import { crossings } from '#lib/server/indexer/read/crossings.ts';
import { bytesHex } from '#lib/server/indexer/read/list.ts';
import { heightOfSeq } from '#lib/server/indexer/tables.ts';
import { ageBuckets, openCrossings } from '#lib/server/indexer/read/orphans.ts';
import { readLedger } from '#lib/server/indexer/read/ledger.ts';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals: { app }, url }) => {
	const now = Date.now();
	const [list, ledger, orphans] = await Promise.all([
		listPage(app.index, crossings, url.searchParams),
		readLedger(app.index),
		openCrossings(app.index)
	]);
	return {
		list: {
			...list,
			rows: list.rows.map(({ txid, tokenid, import_txid, ...row }) => ({
				...row,
				height: heightOfSeq(row.seq),
				txid: bytesHex(txid),
				tokenid: tokenid && bytesHex(tokenid),
				importTxid: import_txid && bytesHex(import_txid),
				importHeight: row.import_seq === null ? null : heightOfSeq(row.import_seq)
			}))
		},
		ledger,
		orphans: ageBuckets(orphans, now),
		chains: app.gateway.chains(),
		now
	};
};
