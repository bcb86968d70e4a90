import { error, fail, redirect } from '@sveltejs/kit';
import { denialSentence } from '#lib/messages/denials.ts';
import { kdfList as words } from '#lib/messages/pages/kdf.ts';
import type { App as Komodeck } from '#lib/server/app.ts';
import { beginCounted } from '#lib/server/access/policy/calls/beginCounted.ts';
import {
	coinsLike,
	type CoinState,
	type ListedState
} from '#lib/server/kdf/activation/coins/search.ts';
import { DEVICE } from '#lib/server/kdf/activation/methods.ts';
import { isNoSuchCoin } from '#lib/server/kdf/activation/failure.ts';
import { newActivationId } from '#lib/server/kdf/activation/newActivationId.ts';
import { isOpen, type ActivationState } from '#lib/server/kdf/activation/states.ts';
import { totalOf, type Total } from '#lib/server/kdf/activation/holdings.ts';
import { explainActivation } from '#lib/server/kdf/activation/words.ts';
import { requireMember } from '../requireMember.ts';
import type { Actions, PageServerLoad } from './$types';
import { chosenKdf, kdfView, mayTrade, requireKdf, toldTo } from './node.ts';

const PAGE = 50;
const STATES: readonly CoinState[] = ['active', 'under-way', 'failed', 'inactive'];

/** Returns the state of a coin in the list, by a running activation, else by the node, else by the latest attempt. */
function stateOf(active: boolean, last: ActivationState | undefined): CoinState {
	if (last !== undefined && isOpen(last)) return 'under-way';
	if (active) return 'active';
	return last === 'failed' || last === 'void' ? 'failed' : 'inactive';
}

/** How long the list waits for balances. Milliseconds. */
const WAIT_MS = 500;
/** Number of active coins whose balances the balance filter reads at most. */
const MOST_ASKED = 200;
const BALANCES = ['some', 'none'] as const;

/** Whether a coin has a balance; null when none was found but not all amounts are known. */
function holdsSome({ spendable, unspendable, isPart }: Total): boolean | null {
	const isSome = spendable !== '0' || (unspendable ?? '0') !== '0';
	return isSome || (!isPart && unspendable !== null) ? isSome : null;
}

interface Held {
	total: Total | null;
	/** The node has not reported it yet. */
	isAsked: boolean;
	/** The node lists the coin only for its tokens, and cannot find it. */
	isPassive: boolean;
}

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
				isAsked: holding === null && failure === null,
				isPassive: failure !== null && isNoSuchCoin(failure)
			}
		])
	);
}

/** Adds the balance to a coin of the list, if it was read. */
function withHeld<Line extends { ticker: string; state: CoinState }>(
	line: Line,
	balances: ReadonlyMap<string, Held>
): Line & { state: ListedState; held: Held | null } {
	const held = balances.get(line.ticker) ?? null;
	return held?.isPassive && line.state === 'active'
		? { ...line, state: 'passive', held: null }
		: { ...line, held };
}

export const load: PageServerLoad = async ({ locals, url }) => {
	const { activations } = locals.app;
	const { nodes, node } = await chosenKdf(activations, url);
	const text = (url.searchParams.get('q') ?? '').slice(0, 100);
	const wanted = STATES.find((one) => one === url.searchParams.get('state')) ?? '';
	const balance = BALANCES.find((one) => one === url.searchParams.get('balance')) ?? '';
	const wantedPage = Math.floor(Number(url.searchParams.get('page'))) || 1;
	const may = mayTrade(locals.identity);
	const book = await activations.coins.book();
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
			known: book.coins.length,
			recent: [],
			problems: may.admin ? book.problems.slice(0, 10) : [],
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
	const lines = coinsLike(book.coins, text)
		.map(({ ticker, name, protocol, testnet }) => {
			const last = status.get(ticker);
			return {
				ticker,
				name,
				protocol,
				testnet,
				// The node reports no balance for NFTs.
				active: protocol !== 'NFT' && (tickers?.has(ticker) ?? false),
				state: stateOf(tickers?.has(ticker) ?? last?.state === 'active', last?.state),
				activation: last?.id ?? null
			};
		})
		.filter((line) => wanted === '' || line.state === wanted);
	// Coins in use come first, then the order of the coins file.
	const order: Record<CoinState, number> = { 'under-way': 0, active: 1, failed: 2, inactive: 3 };
	const sorted = text === '' ? lines.toSorted((a, b) => order[a.state] - order[b.state]) : lines;
	// The balance filter needs the balances of all active coins, not only of those on the page.
	const active = sorted.filter((line) => line.active);
	const asked = active.slice(0, MOST_ASKED);
	const held = balance === '' ? null : await heldBy(locals.app, node.id, asked);
	const left =
		held === null
			? null
			: {
					reading: [...held.values()].filter(({ isAsked }) => isAsked).length,
					beyond: active.length - asked.length
				};
	const fitting =
		held === null
			? sorted
			: asked.filter(({ ticker }) => {
					const total = held.get(ticker)?.total ?? null;
					return total !== null && holdsSome(total) === (balance === 'some');
				});
	// If the list has become shorter, the last page is shown.
	const page = Math.max(1, Math.min(wantedPage, Math.ceil(fitting.length / PAGE)));
	const from = (page - 1) * PAGE;
	const shown = fitting.slice(from, from + PAGE);
	const balances =
		held ??
		(await heldBy(
			locals.app,
			node.id,
			shown.filter(({ active }) => active)
		));
	return {
		nodes: nodes.map(({ id }) => id),
		node: kdfView(facts),
		may,
		text,
		state: wanted,
		balance,
		coins: shown.map((line) => withHeld(line, balances)),
		/** Active coins that the balance filter could not judge; null without that filter. */
		left,
		more: fitting.length > from + PAGE,
		page,
		known: book.coins.length,
		recent: recent.map((row) => ({
			id: row.id,
			coin: row.coin,
			state: row.state,
			by: row.begun_by,
			createdAt: Number(row.created_at)
		})),
		problems: may.admin ? book.problems.slice(0, 10) : [],
		silent:
			failure === null
				? null
				: toldTo(may, explainActivation({ node: node.id, coin: DEVICE, method: 'enable' }, failure))
						.what,
		now: Date.now()
	};
};

export const actions: Actions = {
	/** Allows calls again after a refused password. */
	confirm: async ({ locals, url }) => {
		const { account } = requireMember(locals);
		if (!mayTrade(locals.identity).admin) error(403, { message: words.adminOnly });
		const { node } = await requireKdf(locals.app.activations, url);
		const now = await locals.app.activations.confirm(node.id, account.name);
		return now?.stop
			? fail(409, {
					problem: words.confirm.refused
				})
			: { done: words.confirm.done };
	},

	/** Sets up the hardware wallet of the node. */
	device: async ({ locals, url }) => {
		const member = requireMember(locals);
		const { account } = member;
		const { node } = await requireKdf(locals.app.activations, url);
		const method = 'task::init_trezor';
		const id = newActivationId();
		const decision = await locals.app.policy.authorizeActivation(member, node.id, {
			id,
			method,
			coin: DEVICE
		});
		if (decision.denial !== null) {
			return fail(403, { problem: denialSentence(decision.denial) });
		}
		const asked = {
			id,
			node: node.id,
			coin: DEVICE,
			method,
			params: {},
			by: account.name
		} as const;
		const begun = await beginCounted(decision.giveBack, locals.app.activations.begin(asked));
		// The activation that needs the device continues from the device's task.
		const from = url.searchParams.get('from');
		const more = from === null ? '' : `?${new URLSearchParams({ from })}`;
		redirect(303, `/kdf/tasks/${begun.id}${more}`);
	}
};
