/** Selects the coins that a page of the list shows: by text, state and balance, those in use first. */
import type { Coin } from '../coins/parse.ts';
import { coinsLike, type CoinState, type ListedState } from '../coins/search.ts';
import type { Total } from './holdings.ts';
import { isOpen, type ActivationState } from '../activation/states.ts';

/** Most coins on a page. */
const PAGE = 50;
/** Number of active coins whose balances the balance filter reads at most. */
const MOST_ASKED = 200;

export const COIN_STATES: readonly CoinState[] = ['active', 'under-way', 'failed', 'inactive'];
export const BALANCES = ['some', 'none'] as const;

/** What a page of the list shows; an empty text or filter leaves nothing out. */
export interface CoinQuery {
	text: string;
	state: CoinState | '';
	balance: (typeof BALANCES)[number] | '';
	/** The page that was asked for, from 1. */
	page: number;
}

/** What is known of the coins at a node. */
export interface CoinsAtNode {
	/** Tickers of the active coins; null when the node does not tell. */
	tickers: ReadonlySet<string> | null;
	/** The latest activation of each coin, by ticker. */
	status: ReadonlyMap<string, { id: string; state: ActivationState }>;
}

/** The balance of an active coin, as far as the node has reported it. */
export interface Held {
	total: Total | null;
	/** The account of an HD wallet whose balance it is: others may hold more. Null for a wallet with one address. */
	account: number | null;
	/** The node has not reported it yet. */
	isAsked: boolean;
	/** The node lists the coin only for its tokens, and cannot find it. */
	isPassive: boolean;
}

type Named = Pick<Coin, 'ticker' | 'name' | 'protocol' | 'testnet'>;

interface CoinLine extends Named {
	active: boolean;
	state: CoinState;
	/** Id of the latest activation. */
	activation: string | null;
}

interface CoinPage {
	coins: (Omit<CoinLine, 'state'> & { state: ListedState; held: Held | null })[];
	/** Active coins that the balance filter could not judge; null without that filter. */
	left: { reading: number; unsure: number; beyond: number } | null;
	more: boolean;
	page: number;
}

/** Returns the state of a coin in the list, by a running activation, else by the node, else by the latest attempt. */
function stateOf(active: boolean, last: ActivationState | undefined): CoinState {
	if (last !== undefined && isOpen(last)) return 'under-way';
	if (active) return 'active';
	return last === 'failed' || last === 'void' ? 'failed' : 'inactive';
}

/** Whether a coin has a balance; null when none was found but not all amounts are known. */
function holdsSome({ total, account }: Held): boolean | null {
	if (total === null) return null;
	const { spendable, unspendable, isPart } = total;
	const isSome = spendable !== '0' || (unspendable ?? '0') !== '0';
	const isAll = account === null && !isPart && unspendable !== null;
	return isSome || isAll ? isSome : null;
}

/** Whether it stays unknown if a coin has a balance, as with other accounts of an HD wallet. */
const isUnsure = (held: Held): boolean =>
	!held.isAsked && !held.isPassive && holdsSome(held) === null;

function linesOf(
	coins: readonly Coin[],
	{ tickers, status }: CoinsAtNode,
	{ text, state }: CoinQuery
): CoinLine[] {
	const lines = coinsLike(coins, text)
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
		.filter((line) => state === '' || line.state === state);
	// Coins in use come first, then the order of the coins file.
	const order: Record<CoinState, number> = { 'under-way': 0, active: 1, failed: 2, inactive: 3 };
	return text === '' ? lines.toSorted((a, b) => order[a.state] - order[b.state]) : lines;
}

/** Adds the balance to a coin of the list, if it was read. */
function withHeld(line: CoinLine, balances: ReadonlyMap<string, Held>): CoinPage['coins'][number] {
	const held = balances.get(line.ticker) ?? null;
	return held?.isPassive && line.state === 'active'
		? { ...line, state: 'passive', held: null }
		: { ...line, held };
}

/**
 * Returns a page of the list. If the list has become shorter, the last page is shown.
 * @param read reads the balances of active coins, by ticker
 */
export async function pageOfCoins(
	coins: readonly Coin[],
	atNode: CoinsAtNode,
	query: CoinQuery,
	read: (active: readonly { ticker: string }[]) => Promise<ReadonlyMap<string, Held>>
): Promise<CoinPage> {
	const lines = linesOf(coins, atNode, query);
	// The balance filter needs the balances of all active coins, not only of those on the page.
	const active = lines.filter((line) => line.active);
	const asked = active.slice(0, MOST_ASKED);
	const held = query.balance === '' ? null : await read(asked);
	const fitting =
		held === null
			? lines
			: asked.filter(({ ticker }) => {
					const own = held.get(ticker);
					return own !== undefined && holdsSome(own) === (query.balance === 'some');
				});
	const page = Math.max(1, Math.min(query.page, Math.ceil(fitting.length / PAGE)));
	const from = (page - 1) * PAGE;
	const shown = fitting.slice(from, from + PAGE);
	const balances = held ?? (await read(shown.filter((line) => line.active)));
	return {
		coins: shown.map((line) => withHeld(line, balances)),
		left:
			held === null
				? null
				: {
						reading: [...held.values()].filter(({ isAsked }) => isAsked).length,
						unsure: [...held.values()].filter((one) => isUnsure(one)).length,
						beyond: active.length - asked.length
					},
		more: fitting.length > from + PAGE,
		page
	};
}
