import {
	activationForm,
	evmForm as evmWords,
	utxoForm as utxoWords
} from '#lib/messages/pages/kdfActivation.ts';
import type { Coin } from '#lib/server/kdf/coins/parse.ts';
import { platformOf, takesEvmForm } from '#lib/server/kdf/forms/evmForm.ts';
import { isShielded, usesServers } from '#lib/server/kdf/coins/methodsFor.ts';
import { isTokenMethod, type ActivationMethod } from '#lib/server/kdf/coins/methods.ts';

/** Returns why a coin cannot be activated by this method now, as a sentence; null when it can be tried. */
export function blockedBy({
	coin,
	method,
	tickers,
	servers,
	mayName
}: {
	coin: Coin;
	method: ActivationMethod | null;
	tickers: ReadonlySet<string> | null;
	servers: number;
	mayName: boolean;
}): string | null {
	const { ticker } = coin;
	const platform = platformOf(coin);
	const isPart = method === 'enable_nft' || (method !== null && isTokenMethod(method));
	if (isPart && platform !== null && tickers?.has(platform) === false) {
		return activationForm.platformFirst(ticker, platform);
	}
	// An admin may name servers and NFT providers.
	if (mayName || method === null) return null;
	if (method === 'enable_nft') return evmWords.noNftIndexer;
	if (takesEvmForm(coin)) {
		return isPart || coin.nodes.length > 0 ? null : evmWords.noEndpoints(ticker, false);
	}
	if (usesServers(method) && servers === 0) return utxoWords.noServers(ticker, false);
	return isShielded(method) && coin.lightServers.length === 0
		? utxoWords.light.noServers(ticker, false)
		: null;
}
