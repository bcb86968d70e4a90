/** An active coin as its page shows it, whoever activated it: what the node says now, and what it said at the activation. */
import type { Plain } from '../client/plain.ts';
import { factsOf, type NftFacts } from './balances.ts';
import { coinHistory, type CoinHistory } from './coinHistory.ts';
import type { Coin } from './coins/parse.ts';
import type { KdfPort } from './engine.ts';
import { platformOf } from './evmForm.ts';
import type { HoldingPart, Holdings, HoldingSeen } from './holdings.ts';
import type { ActivationRow } from './transition.ts';

/** What of an active coin is looked at. */
interface ActivePart extends HoldingPart {
	/** Page of the history, from 1 on. */
	history: number;
}

interface ActiveToken extends HoldingSeen {
	ticker: string;
	name: string;
}

interface ActiveCoin extends HoldingSeen {
	tokens: ActiveToken[];
	/** Tokens that are active but not asked for here: too many. */
	furtherTokens: number;
	nfts: ActiveNfts | null;
	/** Null while the node is still asked what the coin holds. */
	history: CoinHistory | null;
	/** What swaps wait for, as it was set at the activation; null where that is not known here. */
	swaps: { confirmations: number; notarization: boolean; at: number } | null;
}

/** The node lists NFTs when they are activated, and has no call for those of later. */
interface ActiveNfts {
	/** Null where they were activated elsewhere. */
	listed: { nfts: NftFacts[]; at: number } | null;
}

/** Tokens whose balances are asked for on one page. */
const MOST_TOKENS = 24;

type Members = { readonly [name: string]: Plain };
const members = (value: Plain | undefined): Members =>
	typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {};

const resultOf = (row: ActivationRow | null): Plain | null =>
	row === null || row.result === null ? null : (JSON.parse(row.result) as Plain);

/** What an activation set for swaps: the node's own word before what was sent. */
function swapsOf(coin: Coin, row: ActivationRow | null): ActiveCoin['swaps'] {
	if (row === null) return null;
	const result = resultOf(row);
	const facts = result === null ? null : factsOf(coin.ticker, result);
	const sent = JSON.parse(row.params) as Members;
	const params = { ...sent, ...members(sent['activation_params']) };
	const confirmations = facts?.confirmations ?? params['required_confirmations'];
	const notarization = facts?.notarization ?? params['requires_notarization'];
	return typeof confirmations === 'number'
		? { confirmations, notarization: notarization === true, at: Number(row.state_since) }
		: null;
}

interface Asked {
	node: string;
	coin: Coin;
	coins: readonly Coin[];
	tickers: ReadonlySet<string>;
	/** The latest activation of a ticker that ended well; null for one that was activated elsewhere. */
	activated(ticker: string): Promise<ActivationRow | null>;
	part: ActivePart;
	waitMs: number;
}

/** NFTs that were activated with the platform, or by themselves. */
async function nftsOf({ coin, coins, tickers, activated }: Asked): Promise<ActiveNfts | null> {
	const apart = coins.find(
		(one) =>
			one.protocol === 'NFT' &&
			tickers.has(one.ticker) &&
			(one.ticker === coin.ticker || platformOf(one) === coin.ticker)
	);
	const platform = apart === undefined ? coin.ticker : platformOf(apart);
	const rows = await Promise.all(
		[apart?.ticker ?? null, platform].map((ticker) => (ticker === null ? null : activated(ticker)))
	);
	const listed = rows.flatMap((row) => {
		const result = resultOf(row);
		const nfts = result === null ? null : factsOf(coin.ticker, result).nfts;
		return nfts === null || row === null ? [] : [{ nfts, at: Number(row.state_since) }];
	});
	const latest = listed.toSorted((one, other) => other.at - one.at)[0] ?? null;
	// A platform without NFTs has an empty list of them.
	const isThere = apart !== undefined || (latest?.nfts.length ?? 0) > 0;
	return isThere ? { listed: latest } : null;
}

/** @param pages asks what is only to be known, and does not wait for it long */
export const createActiveCoins = (pages: KdfPort, holdings: Holdings) =>
	async function look(asked: Asked): Promise<ActiveCoin> {
		const { node, coin, coins, tickers, part, waitMs } = asked;
		const all = coins.filter(
			(one) => tickers.has(one.ticker) && one.protocol !== 'NFT' && platformOf(one) === coin.ticker
		);
		const asks = coin.protocol !== 'NFT';
		const own = asks
			? await holdings.part(node, coin.ticker, part, waitMs)
			: { holding: null, failure: null };
		// A node that is slow with one balance is not asked for more.
		const isSlow = asks && own.holding === null && own.failure === null;
		// A wallet of many addresses says what its tokens hold with the platform.
		const told = new Set(own.holding?.lines.map(({ ticker }) => ticker));
		const apart = all.filter(({ ticker }) => !told.has(ticker));
		const shown = apart.slice(0, MOST_TOKENS);
		const [seen, history, nfts, before] = await Promise.all([
			holdings.of(
				node,
				shown.map(({ ticker }) => ticker),
				isSlow ? 0 : waitMs
			),
			isSlow ? null : coinHistory(pages, node, coin, own.holding?.account ?? null, part.history),
			nftsOf(asked),
			asked.activated(coin.ticker)
		]);
		return {
			...own,
			tokens: shown.map(({ ticker, name }) => ({ ticker, name, ...seen.get(ticker)! })),
			furtherTokens: apart.length - shown.length,
			nfts,
			history,
			swaps: swapsOf(coin, before)
		};
	};
