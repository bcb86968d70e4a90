import { error, fail, redirect } from '@sveltejs/kit';
import { denialSentence } from '#lib/messages/denials.ts';
import { kdfList as words } from '#lib/messages/pages/kdf.ts';
import type { App as Komodeck } from '#lib/server/appTypes.ts';
import { beginActivation } from '#lib/server/access/calls/beginActivation.ts';
import {
	BALANCES,
	COIN_STATES,
	pageOfCoins,
	type CoinQuery,
	type Held
} from '#lib/server/kdf/holdings/coinList.ts';
import { DEVICE } from '#lib/server/kdf/coins/methods.ts';
import { isNoSuchCoin } from '#lib/server/kdf/calls/coinFailure.ts';
import { totalOf } from '#lib/server/kdf/holdings/holdings.ts';
import { explainActivation } from './failureWords.ts';
import { refuseRuledToken } from '../refuseRuledToken.ts';
import { requireMember } from '../requireMember.ts';
import type { Actions, PageServerLoad } from './$types';
import { chosenKdf, kdfView, mayTrade, requireKdf, redactedFor } from './node.ts';

/** How long the list waits for balances. Milliseconds. */
const WAIT_MS = 500;

/** Reads the balances of active coins. */
async function heldBy(
	{ activations }: Komodeck,
	node: string,
	coins: readonly { ticker: string }[]
): Promise<Map<string, Held>> {
	const tickers = coins.map(({ ticker }) => ticker);
	const seen = await activations.holdings.of(node, tickers, WAIT_MS);
	return new Map(
		[...seen].map(([ticker, { holding, failure }]) => [
			ticker,
			{
				total: holding === null ? null : totalOf(ticker, holding),
				account: holding?.account ?? null,
				isAsked: holding === null && failure === null,
				isPassive: failure !== null && isNoSuchCoin(failure)
			}
		])
	);
}

export const load: PageServerLoad = async ({ locals, url }) => {
	const { activations } = locals.app;
	const { nodes, node } = await chosenKdf(activations, url);
	const text = (url.searchParams.get('q') ?? '').slice(0, 100);
	const wanted = COIN_STATES.find((one) => one === url.searchParams.get('state')) ?? '';
	const balance = BALANCES.find((one) => one === url.searchParams.get('balance')) ?? '';
	const wantedPage = Math.floor(Number(url.searchParams.get('page'))) || 1;
	const may = mayTrade(locals.identity);
	const catalog = await activations.coins.catalog();
	if (node === null) {
		return {
			nodes: [],
			node: null,
			may,
			text,
			state: wanted,
			balance,
			coins: [],
			left: null,
			more: false,
			page: 1,
			known: catalog.coins.length,
			recent: [],
			problems: may.admin ? catalog.problems.slice(0, 10) : [],
			silent: null,
			now: Date.now()
		};
	}
	const [{ tickers, failure }, status, recent] = await Promise.all([
		activations.active(node.id),
		activations.status(node.id),
		activations.list({ node: node.id, limit: 8 })
	]);
	// A password refusal during this request is reflected in the node's state only afterwards.
	const facts =
		failure === null
			? node
			: ((await activations.nodes()).find(({ id }) => id === node.id) ?? node);
	const query: CoinQuery = { text, state: wanted, balance, page: wantedPage };
	const listed = await pageOfCoins(catalog.coins, { tickers, status }, query, (coins) =>
		heldBy(locals.app, node.id, coins)
	);
	return {
		nodes: nodes.map(({ id }) => id),
		node: kdfView(facts),
		may,
		text,
		state: wanted,
		balance,
		...listed,
		known: catalog.coins.length,
		recent: recent.map((row) => ({
			id: row.id,
			coin: row.coin,
			state: row.state,
			by: row.begun_by,
			createdAt: Number(row.created_at)
		})),
		problems: may.admin ? catalog.problems.slice(0, 10) : [],
		silent:
			failure === null
				? null
				: redactedFor(
						may,
						explainActivation({ node: node.id, coin: DEVICE, method: 'enable' }, failure)
					).what,
		now: Date.now()
	};
};

export const actions: Actions = {
	/** Allows calls again after a refused password. */
	confirm: async ({ locals, url }) => {
		const { account } = requireMember(locals);
		if (!mayTrade(locals.identity).admin) error(403, { message: words.adminOnly });
		const { node } = await requireKdf(locals.app.activations, url);
		const now = await locals.app.activations.confirm(node.id, account);
		return now?.stop
			? fail(409, {
					problem: words.confirm.refused
				})
			: { done: words.confirm.done };
	},

	/** Sets up the hardware wallet of the node. */
	device: async ({ locals, url }) => {
		const member = requireMember(locals);
		await refuseRuledToken(locals);
		const { account } = member;
		const { node } = await requireKdf(locals.app.activations, url);
		const method = 'task::init_trezor';
		const { policy, activations } = locals.app;
		const asked = { node: node.id, coin: DEVICE, method } as const;
		const begun = await beginActivation(policy, member, asked, (id) =>
			activations.begin({ id, ...asked, params: {}, by: account.name })
		);
		if (begun.denial !== null) {
			return fail(403, { problem: denialSentence(begun.denial) });
		}
		// The activation that needs the device continues from the device's task.
		const from = url.searchParams.get('from');
		const more = from === null ? '' : `?${new URLSearchParams({ from })}`;
		redirect(303, `/kdf/tasks/${begun.id}${more}`);
	}
};
