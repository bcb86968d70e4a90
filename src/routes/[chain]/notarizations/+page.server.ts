import { listPage } from '#lib/server/explorer/listPage.ts';
import { bytesHex } from '#lib/server/indexer/read/list.ts';
import { notarizations, signersOf } from '#lib/server/indexer/read/notarizations.ts';
import { heightOfSeq } from '#lib/server/indexer/tables.ts';
import { timelineOf } from './timeline.ts';
import type { PageServerLoad } from './$types';

const PAGE = 50;

export const load: PageServerLoad = async ({ locals: { app }, params: { chain }, url }) => {
	const list = await listPage(app.index, notarizations, url.searchParams, { chain, limit: PAGE });
	const rows = list.rows.map((row) => ({
		txid: bytesHex(row.txid),
		symbol: row.symbol,
		recordedAt: heightOfSeq(row.seq),
		time: Number(row.time),
		height: Number(row.height),
		hash: bytesHex(row.hash),
		kmdTxid: row.kmd_txid && bytesHex(row.kmd_txid),
		momDepth: row.mom_depth === null ? null : Number(row.mom_depth),
		momomDepth: row.momom_depth === null ? null : Number(row.momom_depth),
		ccid: row.ccid === null ? null : Number(row.ccid),
		signers: signersOf(row)
	}));
	// Distances mean something within one chain only.
	const [first] = rows;
	const one = rows.filter(({ symbol }) => symbol === (list.given['of'] ?? first?.symbol));
	return {
		list: { ...list, rows },
		timeline: timelineOf(one),
		timelineOf: one[0]?.symbol ?? null,
		chains: app.gateway.chains(),
		now: Date.now()
	};
};
