/** What a request of the page is about: the coin, the trading node and the way to activate it there. */
import { error } from '@sveltejs/kit';
import { activationForm } from '#lib/messages/pages/kdfActivation.ts';
import type { App as Komodeck } from '#lib/server/app.ts';
import type { Coin } from '#lib/server/kdf/activation/coins/parse.ts';
import { platformOf } from '#lib/server/kdf/activation/evmForm.ts';
import { methodsFor } from '#lib/server/kdf/activation/ways.ts';
import { isActivationMethod, type ActivationMethod } from '#lib/server/kdf/activation/methods.ts';
import type { ActivationRow } from '#lib/server/kdf/activation/transition.ts';
import type { KdfInfo } from '#lib/server/kdf/client/kdfTypes.ts';
import { isAppError } from '#lib/server/platform/errors/appError.ts';
import { chosenKdf } from '../node.ts';
import type { RequestEvent } from './$types';

/** @throws a 404 of SvelteKit */
export async function coinOf({ activations }: Komodeck, ticker: string): Promise<Coin> {
	const coin = await activations.coins.find(ticker);
	return (
		coin ??
		error(404, {
			message: activationForm.noSuchCoin(ticker.slice(0, 64))
		})
	);
}

/** A released node uses servers for WebSockets in browsers only (KDF 2.5.1). */
export const takesSockets = ({ dialect }: KdfInfo): boolean => dialect === 'seed';

/** The way of the address, else that of `before`, else the usual one of the coin; null when there is none. */
export function methodOf(
	coin: Coin,
	url: URL,
	before: ActivationRow | null = null
): ActivationMethod | null {
	const ways = methodsFor(coin);
	const wanted = url.searchParams.get('method') ?? '';
	return (
		(isActivationMethod(wanted) ? ways.find((way) => way === wanted) : null) ??
		ways.find((way) => way === before?.method) ??
		ways[0] ??
		null
	);
}

/**
 * What a form of the page asks to activate, and where.
 * @throws a 404 of SvelteKit where there is no such coin, node or way
 */
export async function chosenActivation({ locals, params, url }: RequestEvent) {
	const { activations } = locals.app;
	const coin = await coinOf(locals.app, params.coin);
	const { node } = await chosenKdf(activations, url);
	const method = methodOf(coin, url);
	if (node === null || method === null) error(404, { message: activationForm.noMethod });
	return { coin, node, method };
}

/** Tokens of a platform in the coins file. */
export async function tokensOf({ activations }: Komodeck, { ticker }: Coin): Promise<Coin[]> {
	const { coins } = await activations.coins.book();
	return coins.filter((coin) => coin.protocol === 'ERC20' && platformOf(coin) === ticker);
}

/** Connections to remote signers; null where the node does not say. */
export async function sessionsOf({ activations }: Komodeck, node: string) {
	try {
		return await activations.remote.sessions(node);
	} catch (cause) {
		if (!isAppError(cause, 'activation.call-failed')) throw cause;
		return null;
	}
}
