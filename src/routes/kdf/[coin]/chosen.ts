/** Determines the coin, the trading node and the activation method of a request. */
import { error } from '@sveltejs/kit';
import { activationForm } from '#lib/messages/pages/kdfActivation.ts';
import type { App as Komodeck } from '#lib/server/appTypes.ts';
import type { Coin } from '#lib/server/kdf/coins/parse.ts';
import { platformOf } from '#lib/server/kdf/forms/evmForm.ts';
import { methodsFor } from '#lib/server/kdf/coins/methodsFor.ts';
import { isActivationMethod, type ActivationMethod } from '#lib/server/kdf/coins/methods.ts';
import type { ActivationRow } from '#lib/server/kdf/activation/activationRow.ts';
import type { KdfInfo } from '#lib/server/kdf/client/kdfTypes.ts';
import { isAppError } from '#lib/server/platform/errors/appError.ts';
import { requireKdf } from '../node.ts';
import type { RequestEvent } from './$types';

/** @throws SvelteKit's 404 */
export async function coinOf({ activations }: Komodeck, ticker: string): Promise<Coin> {
	const coin = await activations.coins.find(ticker);
	return (
		coin ??
		error(404, {
			message: activationForm.noSuchCoin(ticker.slice(0, 64))
		})
	);
}

/** Whether the node can use WebSocket servers; a released node does so only in browsers (KDF 2.5.1). */
export const takesSockets = ({ dialect }: KdfInfo): boolean => dialect === 'seed';

/**
 * Returns the activation method in the URL, else that of `before`, else the coin's default; null when there
 * is none.
 */
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
 * Returns what a form of the page asks to activate, and where.
 * @throws SvelteKit's 404 for an unknown coin, node or method
 */
export async function chosenActivation({ locals, params, url }: RequestEvent) {
	const { activations } = locals.app;
	const coin = await coinOf(locals.app, params.coin);
	const { node } = await requireKdf(activations, url);
	const method = methodOf(coin, url);
	if (method === null) error(404, { message: activationForm.noMethod });
	return { coin, node, method };
}

/** Returns the tokens of a platform in the coins file. */
export async function tokensOf({ activations }: Komodeck, { ticker }: Coin): Promise<Coin[]> {
	const { coins } = await activations.coins.catalog();
	return coins.filter((coin) => coin.protocol === 'ERC20' && platformOf(coin) === ticker);
}

/** Returns the connections to remote signers that can be used; null when the node does not report them. */
export async function sessionsOf({ activations }: Komodeck, node: string) {
	try {
		const sessions = await activations.remote.sessions(node);
		return sessions.flatMap(({ topic, name }) => (topic === null ? [] : [{ topic, name }]));
	} catch (cause) {
		if (!isAppError(cause, 'activation.call-failed')) throw cause;
		return null;
	}
}
