import type { ActiveCoin } from '../coins.ts';
import type { KdfContext } from '../context.ts';
import { LegacyError } from '../error.ts';
import { tickerOf, type Body } from './request.ts';

export const active = (context: KdfContext, body: Body, line: number): ActiveCoin => {
	const ticker = tickerOf(body, `legacy:${line - 1}] `);
	const coin = context.coins.get(ticker);
	if (!coin) throw new LegacyError(`legacy:${line}] No such coin: ${ticker}`);
	return coin;
};

export const hdAddressGone = (trace: string): LegacyError =>
	new LegacyError(`${trace}'my_address' is deprecated for HD wallets`);
