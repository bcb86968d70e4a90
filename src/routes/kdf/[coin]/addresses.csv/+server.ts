import { error } from '@sveltejs/kit';
import { activeCoin } from '#lib/messages/pages/kdfActive.ts';
import { isAppError } from '#lib/server/platform/errors/appError.ts';
import { isNoSuchCoin } from '#lib/server/kdf/calls/coinFailure.ts';
import { explainActivation } from '../../failureWords.ts';
import { addressFile } from '../../addressFile.ts';
import { mayTrade, requireKdf, redactedFor } from '../../node.ts';
import type { RequestHandler } from './$types';

/** Exports the addresses of an active coin with their current balances. */
export const GET: RequestHandler = async ({ locals, params, url }) => {
	const { activations } = locals.app;
	const { node } = await requireKdf(activations, url);
	const coin = await activations.coins.find(params.coin);
	if (!coin) error(404, { message: activeCoin.addresses.noSuch });
	const account = /^\d{1,9}$/.exec(url.searchParams.get('account') ?? '')?.[0] ?? '0';
	try {
		const { lines } = await activations.holdings.file(node.id, coin.ticker, Number(account));
		return addressFile(lines, coin, `${coin.ticker}-addresses-${account}`);
	} catch (cause) {
		if (!isAppError(cause, 'activation.call-failed')) throw cause;
		const { failure } = cause.params;
		if (isNoSuchCoin(failure)) {
			error(404, { message: activeCoin.addresses.notActive(coin.ticker) });
		}
		const about = { node: node.id, coin: coin.ticker, method: 'enable' } as const;
		error(502, {
			message: redactedFor(mayTrade(locals.identity), explainActivation(about, failure)).what
		});
	}
};
