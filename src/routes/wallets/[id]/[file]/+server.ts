import { error } from '@sveltejs/kit';
import { walletPage, wallets } from '#lib/messages/pages/wallet.ts';
import { utxoQuery, utxosCsv, utxosJson, utxosOf } from '#lib/server/wallet/overview/utxoList.ts';
import type { DaemonInfo } from '#lib/server/chains/daemon/types.ts';
import { answering } from '#lib/server/chains/lists/answer.ts';
import { exportList } from '#lib/server/chains/lists/exportList.ts';
import { listQuery } from '#lib/server/chains/lists/listQuery.ts';
import { walletHistory } from '#lib/server/chains/lists/walletHistory.ts';
import { openWallet } from '../../openWallet.ts';
import { shownWallet } from '../shownWallet.ts';
import type { RequestHandler } from './$types';

const FORMS = {
	csv: { type: 'text/csv; charset=utf-8', write: utxosCsv },
	json: { type: 'application/json', write: utxosJson }
} as const;

const named = (daemon: string, file: string): string =>
	`${daemon.replace(/[^\w.-]/g, '_')}-${file}`;

/** Exports the UTXOs as the daemon reports them now. */
async function utxoFile(
	locals: App.Locals,
	daemon: DaemonInfo,
	form: keyof typeof FORMS,
	asked: URLSearchParams
): Promise<Response> {
	const { piece, rows } = await shownWallet(locals, daemon);
	// A file does not show the age of its data, so outdated data is not exported.
	if (piece.state !== 'fresh') error(503, piece.problem.words);
	const { unread } = piece.data;
	if (unread > 0) error(503, walletPage.unread.file(unread));
	const { type, write } = FORMS[form];
	return new Response(write(utxosOf(rows, utxoQuery(asked))), {
		headers: {
			'content-type': type,
			'content-disposition': `attachment; filename="${named(daemon.id, `utxos.${form}`)}"`,
			'cache-control': 'private, no-store'
		}
	});
}

/** Exports the filtered history of the wallet's address. */
async function historyFile(
	locals: App.Locals,
	{ id, chain }: DaemonInfo,
	form: keyof typeof FORMS,
	{ piece }: Awaited<ReturnType<typeof shownWallet>>,
	asked: URLSearchParams
): Promise<Response> {
	if (piece.state === 'missing') error(503, piece.problem.words);
	const { address } = piece.data;
	if (address === null) error(404, wallets.noFile);
	const given = new URLSearchParams(asked);
	given.set('address', address);
	return answering(locals.requestId, async () => {
		const query = listQuery(walletHistory, chain, given);
		const answer = await exportList(
			locals.app.index,
			walletHistory,
			query,
			form === 'csv' ? 'csv' : 'export',
			null
		);
		answer.headers.set(
			'content-disposition',
			`attachment; filename="${named(id, `history.${form}`)}"`
		);
		return answer;
	});
}

/** Exports the lists of a wallet. */
export const GET: RequestHandler = async ({ locals, params, url }) => {
	const daemon = await openWallet(locals, params.id);
	const [, what, form] = /^(utxos|history)\.(csv|json)$/.exec(params.file) ?? [];
	if (form !== 'csv' && form !== 'json') error(404, wallets.noFile);
	if (what === 'utxos') return utxoFile(locals, daemon, form, url.searchParams);
	const wallet = await shownWallet(locals, daemon);
	return historyFile(locals, daemon, form, wallet, url.searchParams);
};
