/**
 * Reads an active coin for its page, wherever it was activated: what the node reports now, and what it
 * reported at the activation.
 */
import { members, type Plain, type PlainObject } from '../client/plain.ts';
import { factsOf, type NftFacts } from './balances.ts';
import { coinHistory, type CoinHistory } from './coinHistory.ts';
import type { Coin } from '../coins/parse.ts';
import type { KdfPort } from '../calls/kdfPort.ts';
import { platformOf } from '../forms/evmForm.ts';
import type { HoldingPart, Holdings, HoldingStatus } from './holdings.ts';
import type { SwapsSet, SwapSettingsStore } from './swapSettings.ts';
import type { ActivationRow } from '../activation/activationRow.ts';

/** The part of an active coin that is requested. */
interface ActivePart extends HoldingPart {
	/** Page of the history, counted from 1. */
	history: number;
}

interface ActiveToken extends HoldingStatus {
	ticker: string;
	name: string;
	swaps: KnownSwaps | null;
}

/** What swaps of a coin wait for, as far as it was set from here; null for a part that was not. */
interface KnownSwaps extends SwapsSet {
	/** Whether it was set at the activation, or changed afterwards. */
	when: 'activated' | 'changed';
}

interface ActiveCoin extends HoldingStatus {
	tokens: ActiveToken[];
	/** Number of active tokens that are left out, because there are too many. */
	furtherTokens: number;
	nfts: ActiveNfts | null;
	/** Null while the node has not answered yet what the coin holds. */
	history: CoinHistory | null;
	/** Null when it is not known here. */
	swaps: KnownSwaps | null;
}

/** NFTs as listed at their activation: the node has no call that lists later ones. */
interface ActiveNfts {
	/** Null when they were activated elsewhere. */
	listed: { nfts: NftFacts[]; at: number } | null;
}

/** Maximum number of tokens whose balances one page requests. */
const MOST_TOKENS = 24;

const resultOf = ({ result }: ActivationRow): Plain | null =>
	result === null ? null : (JSON.parse(result) as Plain);

type SwapsAtActivation = SwapsSet | null;

/** Returns what an activation set for swaps: as the node reported it, else as it was sent. */
function setAlone(ticker: string, row: ActivationRow | undefined): SwapsAtActivation {
	if (row === undefined) return null;
	const result = resultOf(row);
	const facts = result === null ? null : factsOf(ticker, result);
	const sent = JSON.parse(row.params) as PlainObject;
	const params = { ...sent, ...members(sent['activation_params']) };
	const confirmations = facts?.confirmations ?? params['required_confirmations'];
	const notarization = facts?.notarization ?? params['requires_notarization'];
	return typeof confirmations === 'number'
		? { confirmations, notarization: notarization === true, at: Number(row.state_since) }
		: null;
}

/**
 * Returns what the activation of its platform set for a token: its own number, else that of the coins file,
 * else that of the platform.
 */
function setWithPlatform(coin: Coin, platform: ActivationRow | undefined): SwapsAtActivation {
	if (platform === undefined) return null;
	const params = JSON.parse(platform.params) as PlainObject;
	const requests = params['erc20_tokens_requests'];
	const own = (Array.isArray(requests) ? requests.map(members) : []).find(
		({ ticker }) => ticker === coin.ticker
	);
	if (own === undefined) return null;
	const confirmations =
		own['required_confirmations'] ?? coin.requiredConfirmations ?? params['required_confirmations'];
	return typeof confirmations === 'number'
		? { confirmations, notarization: false, at: Number(platform.state_since) }
		: null;
}

/** Whether nothing is known since the settings were cleared, such as when the coin was disabled. */
const isEnd = ({ confirmations, notarization }: SwapsSet): boolean =>
	confirmations === null && notarization === null;

/** Returns the latest settings, from an activation or from a later change. */
function swapsOf(
	coin: Coin,
	rows: ReadonlyMap<string, ActivationRow>,
	all: ReadonlyMap<string, SwapsSet>
): KnownSwaps | null {
	const platform = platformOf(coin) ?? '';
	const above = all.get(platform);
	// Disabling a platform disables its tokens, too.
	const ended = above !== undefined && isEnd(above) ? above.at : -Infinity;
	const atFirst = [
		setAlone(coin.ticker, rows.get(coin.ticker)),
		setWithPlatform(coin, rows.get(platform))
	]
		.filter((one) => one !== null)
		.filter(({ at }) => at > ended)
		.toSorted((one, other) => other.at - one.at)[0];
	const own = all.get(coin.ticker);
	const changed = own !== undefined && own.at > ended ? own : undefined;
	if (changed === undefined || (atFirst !== undefined && atFirst.at > changed.at)) {
		return atFirst === undefined ? null : { ...atFirst, when: 'activated' };
	}
	// It was disabled since, so it must have been activated again elsewhere.
	if (isEnd(changed)) return null;
	return {
		confirmations: changed.confirmations,
		notarization: changed.notarization,
		at: changed.at,
		when: 'changed'
	};
}

interface Asked {
	node: string;
	coin: Coin;
	coins: readonly Coin[];
	tickers: ReadonlySet<string>;
	part: ActivePart;
	waitMs: number;
}

/** Returns NFTs that were activated with their platform, or separately. */
async function nftsOf(
	{ node, coin, coins, tickers }: Asked,
	latest: Latest
): Promise<ActiveNfts | null> {
	const apart = coins.find(
		(one) =>
			one.protocol === 'NFT' &&
			tickers.has(one.ticker) &&
			(one.ticker === coin.ticker || platformOf(one) === coin.ticker)
	);
	const platform = apart === undefined ? coin.ticker : platformOf(apart);
	const rows = await latest(
		node,
		[apart?.ticker ?? null, platform].filter((ticker) => ticker !== null)
	);
	const listed = [...rows.values()].flatMap((row) => {
		const result = resultOf(row);
		const nfts = result === null ? null : factsOf(coin.ticker, result).nfts;
		return nfts === null ? [] : [{ nfts, at: Number(row.state_since) }];
	});
	const newest = listed.toSorted((one, other) => other.at - one.at)[0] ?? null;
	// A platform without NFTs has an empty list of them.
	const isThere = apart !== undefined || (newest?.nfts.length ?? 0) > 0;
	return isThere ? { listed: newest } : null;
}

/** Returns the latest successful activation of each coin; coins that were activated elsewhere have none. */
type Latest = (
	node: string,
	tickers: readonly string[]
) => Promise<ReadonlyMap<string, ActivationRow>>;

interface ActiveCoinParts {
	/** For queries, with a short timeout. */
	pages: KdfPort;
	holdings: Holdings;
	swaps: Pick<SwapSettingsStore, 'of'>;
	latest: Latest;
}

export const createActiveCoins = ({ pages, holdings, swaps, latest }: ActiveCoinParts) =>
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
		// An HD wallet reports the balances of its tokens with those of the platform.
		const told = new Set(own.holding?.lines.map(({ ticker }) => ticker));
		const apart = all.filter(({ ticker }) => !told.has(ticker));
		const shown = apart.slice(0, MOST_TOKENS);
		const names = [coin, ...shown].map(({ ticker }) => ticker);
		const platform = platformOf(coin);
		const named = platform === null ? names : [...names, platform];
		const [seen, history, nfts, rows, changed] = await Promise.all([
			holdings.of(
				node,
				shown.map(({ ticker }) => ticker),
				isSlow ? 0 : waitMs
			),
			isSlow ? null : coinHistory(pages, node, coin, own.holding?.account ?? null, part.history),
			nftsOf(asked, latest),
			latest(node, named),
			swaps.of(node, named)
		]);
		return {
			...own,
			tokens: shown.map((token) => ({
				ticker: token.ticker,
				name: token.name,
				...seen.get(token.ticker)!,
				swaps: swapsOf(token, rows, changed)
			})),
			furtherTokens: apart.length - shown.length,
			nfts,
			history,
			swaps: swapsOf(coin, rows, changed)
		};
	};
