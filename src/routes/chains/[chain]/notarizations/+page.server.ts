import { bytesToHex } from '#lib/chain/bytes.ts';
import { shownProgress } from '#lib/server/chains/explorer/indexAge.ts';
import { listPage } from '#lib/server/chains/explorer/listPage.ts';
import { heightOfSeq } from '#lib/server/chains/indexer/tables.ts';
import {
	LATE_TIMES,
	readBefore,
	readNotarized,
	readTimeline
} from '#lib/server/chains/lists/notarizationTimeline.ts';
import { notarizations, signersOf } from '#lib/server/chains/lists/notarizations.ts';
import { withLabels } from '#lib/server/wallet/address-book/withLabels.ts';
import type { PageServerLoad } from './$types';

/** Number of notarizations in the chart. */
const SHOWN = 96;

export const load: PageServerLoad = async ({ locals, params: { chain }, url }) => {
	const { app } = locals;
	const [{ rows, ...list }, progress] = await Promise.all([
		listPage(app.index, notarizations, url.searchParams, { chain }),
		shownProgress(app, chain)
	]);
	const id = progress?.id ?? -1n;
	const [symbols, before] = await Promise.all([
		readNotarized(app.index, id),
		readBefore(
			app.index,
			id,
			rows.map(({ seq }) => seq)
		)
	]);
	// Intervals are meaningful within one chain only; KMD contains notarizations of all chains.
	const wanted = list.given['of'] ?? chain;
	const symbol = symbols.includes(wanted) ? wanted : symbols[0];
	return withLabels(locals, {
		list: {
			...list,
			rows: rows.map((row) => {
				const previous = before.get(row.seq);
				return {
					txid: bytesToHex(row.txid),
					symbol: row.symbol,
					recordedAt: heightOfSeq(row.seq),
					time: Number(row.time),
					height: Number(row.height),
					hash: bytesToHex(row.hash),
					/** Blocks and seconds since the previous notarization; null for the first. */
					blocks: previous === undefined ? null : Number(row.height - previous.height),
					interval: previous === undefined ? null : Number(row.time - previous.time),
					kmdTxid: row.kmd_txid && bytesToHex(row.kmd_txid),
					momDepth: row.mom_depth === null ? null : Number(row.mom_depth),
					momomDepth: row.momom_depth === null ? null : Number(row.momom_depth),
					ccid: row.ccid === null ? null : Number(row.ccid),
					signers: signersOf(row)
				};
			})
		},
		progress,
		symbols,
		picture:
			symbol === undefined
				? null
				: { symbol, late: LATE_TIMES, ...(await readTimeline(app.index, id, symbol, SHOWN)) },
		chains: app.gateway.chains(),
		now: Date.now()
	});
};
