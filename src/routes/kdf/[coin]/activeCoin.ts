/** Data for the page of an active coin: its balance, addresses, tokens and history. */
import qrcode from 'qrcode-generator';
import type { Failure } from '#lib/messages/errors/activation.ts';
import { activeCoin as words } from '#lib/messages/pages/kdfActive.ts';
import type { App as Komodeck } from '#lib/server/appTypes.ts';
import { sideOf } from '#lib/server/kdf/holdings/balances.ts';
import type { Coin } from '#lib/server/kdf/coins/parse.ts';
import { isNoSuchCoin } from '#lib/server/kdf/calls/coinFailure.ts';
import { isStrange } from '#lib/server/kdf/coins/isStrange.ts';
import { totalOf, type HoldingStatus } from '#lib/server/kdf/holdings/holdings.ts';
import { explainActivation } from '../failureWords.ts';
import { qrPath } from '#lib/ui/values/qr.ts';
import { redactedFor } from '../node.ts';

const whole = (url: URL, name: string, least: number): number => {
	const text = url.searchParams.get(name) ?? '';
	return /^\d{1,9}$/.test(text) ? Math.max(least, Number(text)) : least;
};

const codeOf = (address: string) => qrPath(qrcode, address);

/** How long the page waits for a balance, and for those of tokens. Milliseconds. */
const WAIT_MS = 700;

interface Asked {
	node: string;
	coin: Coin;
	/** Active coins; null when the node does not report them. */
	tickers: ReadonlySet<string> | null;
	/** Rights of the reader. */
	may: { activate: boolean };
}

/** Returns the balance and details of an active coin; null when the coin is not known to be active. */
export async function activeOf(
	{ activations }: Komodeck,
	{ node, coin, tickers, may }: Asked,
	url: URL
) {
	if (!tickers?.has(coin.ticker)) return null;
	const seen = await activations.look({
		node,
		coin,
		coins: (await activations.coins.catalog()).coins,
		tickers,
		part: {
			account: whole(url, 'account', 0),
			page: whole(url, 'page', 1),
			history: whole(url, 'history', 1)
		},
		waitMs: WAIT_MS
	});
	const problem = (ticker: string, failure: Failure | null): string | null =>
		failure === null
			? null
			: isNoSuchCoin(failure)
				? words.passive(ticker)
				: redactedFor(may, explainActivation({ node, coin: ticker, method: 'enable' }, failure))
						.what;
	const shown = ({ holding, failure }: HoldingStatus, ticker: string) => ({
		total: holding === null ? null : totalOf(ticker, holding),
		at: holding?.at ?? null,
		problem: problem(ticker, failure),
		isAsked: holding === null && failure === null
	});
	const { holding, history, tokens } = seen;
	const told = holding?.lines[0]?.address || null;
	const isOther = told !== null && isStrange(told, coin);
	const receiving = isOther ? null : told;
	return {
		...shown(seen, coin.ticker),
		...(isOther ? { problem: words.strangeAddress(coin.ticker) } : {}),
		isNft: coin.protocol === 'NFT',
		isPassive: seen.failure !== null && isNoSuchCoin(seen.failure),
		address: receiving,
		qr: receiving === null ? null : codeOf(receiving),
		account: holding?.account ?? null,
		page: whole(url, 'page', 1),
		lines:
			holding === null || holding.account === null
				? []
				: holding.lines
						.filter(({ address }) => !isStrange(address, coin))
						.map((line) => ({ ...line, side: sideOf(line.path) })),
		hasNext: holding?.hasNext ?? false,
		tokens: tokens.map((token) => ({
			ticker: token.ticker,
			name: token.name,
			confirmations: token.swaps?.confirmations ?? null,
			...shown(token, token.ticker)
		})),
		furtherTokens: seen.furtherTokens,
		nfts: seen.nfts,
		history:
			history?.kind === 'failed'
				? { kind: history.kind, problem: problem(coin.ticker, history.failure) }
				: history,
		swaps: seen.swaps
	};
}
