import type { App as Komodeck } from '#lib/server/app.ts';
import { Ask } from '#lib/server/explorer/ask.ts';
import { tokenPage } from '#lib/server/explorer/tokens.ts';
import { UpstreamError } from '#lib/server/gateway/types.ts';
import { StoppedWaiting, waitFor } from '#lib/server/gateway/wait.ts';
import type { PageServerLoad } from './$types';

const PAGE = 25;
/** The list waits this long to learn whether creations from here are in a block by now. */
const PATIENCE_MS = 500;

/** Creations from here that no block holds yet, newest first. */
async function unconfirmed({ sender }: Komodeck, chain: string) {
	await Promise.all(
		(await sender.unconfirmedTokens(chain)).map(async ({ id }) => {
			try {
				await waitFor(sender.findOut(id), { patience: PATIENCE_MS });
			} catch (error) {
				// Then it stays as it was known; the list says how the daemon is.
				if (!(error instanceof UpstreamError) && !(error instanceof StoppedWaiting)) throw error;
			}
		})
	);
	return (await sender.unconfirmedTokens(chain)).flatMap(({ id, txid, state, request, pubkey }) =>
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
	const ask = new Ask(app.gateway, locals.requestId);
	const text = url.searchParams.get('page') ?? '';
	const page = /^\d{1,7}$/.test(text) ? Number(text) : 1;
	const wanted = (url.searchParams.get('q') ?? '').trim().slice(0, 100);
	const [tokens, waiting, decimals] = await Promise.all([
		ask.piece(chain, `tokens ${page} ${wanted}`, () =>
			tokenPage(ask, chain, { text: wanted, page, size: PAGE })
		),
		unconfirmed(app, chain),
		app.sender.allDecimals(chain)
	]);
	const listed = new Set(tokens.data?.lines.map(({ tokenid }) => tokenid));
	return {
		tokens,
		// On the first page, and not while something else is looked for.
		waiting: page > 1 || wanted !== '' ? [] : waiting.filter(({ txid }) => !listed.has(txid)),
		decimals,
		wanted,
		chains: app.gateway.chains()
	};
};
