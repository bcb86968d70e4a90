import type { LegacyMethod } from '../context.ts';
import { LegacyError } from '../error.ts';
import { TransportError } from '../utxoClient.ts';
import { active, hdAddressGone } from './active.ts';
import { tickerOf } from './request.ts';

export const myBalance: LegacyMethod = async (context, body) => {
	const coin = active(context, body, 221);
	if (coin.hd) throw hdAddressGone('legacy:225] lp_coins:5737] ');
	try {
		const balance = await coin.balanceOf(coin.key()!);
		return {
			coin: coin.ticker,
			balance: balance.spendable,
			unspendable_balance: balance.unspendable,
			address: coin.address!
		};
	} catch (cause) {
		if (!(cause instanceof TransportError)) throw cause;
		throw new LegacyError(
			`legacy:223] utxo_common:3098] Transport(${JSON.stringify(cause.message)})`
		);
	}
};

export const enabledCoins: LegacyMethod = ({ coins }) => ({
	result: coins.all().map(({ ticker, address }) => {
		if (address === null) throw hdAddressGone('lp_coins:5734] lp_coins:5737] utxo_common:2460] ');
		return { ticker, address };
	})
});

export const disable: LegacyMethod = ({ coins }, body) => {
	const ticker = tickerOf(body, 'legacy:90] ');
	const force = body['force_disable'] === true;
	const isThere = force ? coins.has(ticker) : coins.get(ticker) !== undefined;
	if (!isThere) {
		throw new LegacyError(`No such coin: ${ticker}`, {
			orders: { matching: [], cancelled: [] },
			active_swaps: []
		});
	}
	const tokens = coins.tokensOf(ticker);
	const passive = tokens.length > 0 && !force;
	if (passive) coins.makePassive(ticker);
	else for (const one of [ticker, ...tokens.map((token) => token.ticker)]) coins.remove(one);
	return { result: { coin: ticker, cancelled_orders: [], passivized: passive } };
};
