import { bytesToHex } from '#lib/chain/bytes.ts';
import { KIND_NAMES, kindName } from '#lib/messages/transactionKinds.ts';
import { fromIndex, shownProgress } from '#lib/server/chains/explorer/indexAge.ts';
import { listPage } from '#lib/server/chains/explorer/listPage.ts';
import { heightOfSeq } from '#lib/server/chains/indexer/tables.ts';
import { isIndexedBut } from '#lib/server/chains/lists/chains.ts';
import { TX_KINDS } from '#lib/server/chains/lists/transactions.ts';
import { walletHistory } from '#lib/server/chains/lists/walletHistory.ts';
import { withLabels } from '#lib/server/wallet/address-book/withLabels.ts';
import { daemonHistory } from '#lib/server/wallet/overview/daemonHistory.ts';
import { openWallet } from '../../openWallet.ts';
import { shownWallet } from '../shownWallet.ts';
import { isFromStart } from '#lib/text/indexed.ts';
import type { PageServerLoad } from './$types';

const ROWS = 50;
/** The index is used when it is no further behind than this. Blocks. */
const BEHIND = 20;

export const load: PageServerLoad = async ({ locals, params, url }) => {
	const daemon = await openWallet(locals, params.id);
	const { id, chain } = daemon;
	const { index } = locals.app;
	const [{ client, piece, rows }, progress] = await Promise.all([
		shownWallet(locals, daemon),
		shownProgress(locals.app, chain)
	]);
	const { data: wallet, ...age } = piece;
	const address = wallet?.address ?? null;
	const isIndexed = isIndexedBut(progress, BEHIND) && isFromStart(progress);
	/** The daemon is asked when the index does not know the history, and for all addresses of its wallet. */
	const asksDaemon = address === null || !isIndexed || url.searchParams.get('source') === 'daemon';
	const [list, told] = await Promise.all([
		asksDaemon
			? null
			: listPage(index, walletHistory, url.searchParams, {
					chain,
					fixed: { address },
					limit: ROWS
				}),
		asksDaemon
			? client.piece(chain, `history ${id}`, () => daemonHistory(client, daemon, ROWS))
			: null
	]);
	return withLabels(locals, {
		age,
		address,
		progress,
		indexed: fromIndex(null, progress, client.now),
		kinds: TX_KINDS.map((kind) => [kind, KIND_NAMES[kind]] as const),
		/** Number of further addresses of the wallet, whose coins this history does not contain. */
		others: new Set(rows.map((row) => row.address).filter((one) => one !== address)).size,
		list: list && {
			...list,
			file: `/wallets/${encodeURIComponent(id)}/history`,
			query: new URLSearchParams(list.given).toString(),
			rows: list.rows.map(({ txid, kind, time, seq, received, sent, balance }) => ({
				txid: bytesToHex(txid),
				kind: kindName(kind),
				time: Number(time) * 1000,
				height: heightOfSeq(seq),
				net: received - sent,
				balance
			}))
		},
		told,
		now: client.now
	});
};
