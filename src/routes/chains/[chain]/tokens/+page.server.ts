import { bytesToHex } from '#lib/chain/bytes.ts';
import { mayAccess } from '#lib/server/access/policy/permissions.ts';
import type { App as Komodeck } from '#lib/server/appTypes.ts';
import { waitFor } from '#lib/server/chains/upstream/wait.ts';
import { PageClient } from '#lib/server/chains/explorer/pageClient.ts';
import { shownProgress } from '#lib/server/chains/explorer/indexAge.ts';
import { listPage } from '#lib/server/chains/explorer/listPage.ts';
import { tokens } from '#lib/server/chains/lists/tokens.ts';
import { withLabels } from '#lib/server/wallet/address-book/withLabels.ts';
import type { Send } from '#lib/server/wallet/transactions/store.ts';
import { onlyReadable } from '../../../readers.ts';
import type { PageServerLoad } from './$types';
import { isAppError } from '#lib/server/platform/errors/appError.ts';

const PAGE = 50;
/** How long the list waits to learn whether the team's creations are confirmed by now. Milliseconds. */
const TIMEOUT_MS = 500;
/** Limit of the team's creations that are compared with the index. */
const RECENT = 20;

/** Returns the team's creations that the index does not contain yet, newest first. */
async function ahead({ sender }: Komodeck, chain: string, height: number) {
	const mined = {
		chain,
		kind: 'token-create',
		states: ['confirmed'],
		limit: RECENT
	} as const;
	const isAhead = ({ height: at }: Send): boolean => (at ?? 0) > height;
	// Includes confirmed ones: a reorganization may have disconnected their block.
	const open = [
		...(await sender.unconfirmedTokens(chain)),
		...(await sender.list(mined)).filter((send) => isAhead(send) && send.finalAt === null)
	];
	await Promise.all(
		open.map(async ({ id }) => {
			try {
				await waitFor(sender.reconcile(id), TIMEOUT_MS);
			} catch (error) {
				// Keeps the known state; the list reports the daemon's state separately.
				if (!isAppError(error, 'daemon') && !isAppError(error, 'answer.pending')) throw error;
			}
		})
	);
	const waiting: Send[] = [
		...(await sender.unconfirmedTokens(chain)),
		...(await sender.list(mined)).filter(isAhead)
	];
	return waiting.flatMap(({ id, txid, state, request, pubkey }) =>
		request.kind === 'token-create'
			? [
					{
						id,
						txid,
						state,
						name: request.name,
						supply: request.supply,
						data: request.data,
						pubkey
					}
				]
			: []
	);
}

export const load: PageServerLoad = async ({ locals, params: { chain }, url }) => {
	const { app } = locals;
	const client = new PageClient(app.gateway, locals.requestId);
	const [list, progress, tip, decimals] = await Promise.all([
		listPage(app.index, tokens, url.searchParams, { chain, limit: PAGE }),
		shownProgress(app, chain),
		client.piece(chain, 'height', () => client.call(chain, 'getblockcount', [])),
		app.sender.allDecimals(chain)
	]);
	const first = !list.further && Object.keys(list.given).length === 0;
	// Which tokens the team created is not shown to visitors.
	const waiting =
		first && locals.account !== null ? await ahead(app, chain, progress?.height ?? -1) : [];
	const readable =
		locals.account === null || !mayAccess(locals.identity.role, 'build', false)
			? []
			: await onlyReadable(locals, 'review', waiting);
	const rows = list.rows.map((row) => ({
		...row,
		tokenid: bytesToHex(row.tokenid),
		origin_tokenid: row.origin_tokenid && bytesToHex(row.origin_tokenid)
	}));
	const listed = new Set(rows.map(({ tokenid }) => tokenid));
	return withLabels(locals, {
		list: { ...list, rows },
		progress,
		tip,
		waiting: waiting
			.filter(({ txid }) => !listed.has(txid))
			.map((token) => ({
				...token,
				/** Whether the reader may open the page of its transaction. */
				isReadable: readable.includes(token)
			})),
		decimals,
		chains: app.gateway.chains()
	});
};
