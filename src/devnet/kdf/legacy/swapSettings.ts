import { int } from '../../rpc/coins.ts';
import type { ActiveCoin } from '../coins.ts';
import type { KdfContext, LegacyMethod } from '../context.ts';
import { LegacyError } from '../error.ts';
import { boolean, required, string, struct, u64 } from '../serde.ts';
import { within, type Body } from './request.ts';

function activeOf({ coins }: KdfContext, ticker: string): ActiveCoin {
	const coin = coins.get(ticker);
	if (!coin) throw new LegacyError(`legacy:300] No such coin ${ticker}`);
	return coin;
}

const confirmations = struct('ConfirmationsReq', {
	coin: required(string),
	confirmations: required(u64)
});
const notarization = struct('RequiresNotarizationReq', {
	coin: required(string),
	requires_notarization: required(boolean)
});

/** Reads the members that a request has; other members of the body are ignored. */
const read = <T>(request: (value: Body) => T, body: Body): T =>
	within('legacy:290] ', () => request(body));

export const requireConfirmations: LegacyMethod = (context, body) => {
	const given = read(confirmations, body);
	const coin = activeOf(context, given.coin);
	coin.requiredConfirmations = given.confirmations;
	return { result: { coin: coin.ticker, confirmations: int(coin.requiredConfirmations) } };
};

/** For EVM coins, which are not notarized, the real node only logs a warning. */
export const requireNotarization: LegacyMethod = (context, body) => {
	const given = read(notarization, body);
	const coin = activeOf(context, given.coin);
	const isEvm = coin.protocol === 'ETH' || coin.protocol === 'ERC20';
	if (!isEvm) coin.requiresNotarization = given.requires_notarization;
	return { result: { coin: coin.ticker, requires_notarization: coin.requiresNotarization } };
};
