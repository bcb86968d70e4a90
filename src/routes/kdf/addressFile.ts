import { error } from '@sveltejs/kit';
import { activeCoin } from '#lib/messages/pages/kdfActive.ts';
import { csvLine } from '#lib/server/chains/lists/csv.ts';
import { sideOf, type BalanceLine } from '#lib/server/kdf/holdings/balances.ts';
import type { Coin } from '#lib/server/kdf/coins/parse.ts';
import { isStrange } from '#lib/server/kdf/coins/isStrange.ts';

/**
 * Responds with addresses and balances as a CSV file; the name may contain any characters. An address that
 * cannot be one of the coin is an error.
 * @param coin undefined where the coins file does not have it: then its addresses cannot be checked
 */
export function addressFile(
	lines: readonly BalanceLine[],
	coin: Coin | undefined,
	name: string
): Response {
	if (coin !== undefined && lines.some(({ address }) => isStrange(address, coin))) {
		error(502, { message: activeCoin.strangeAddress(coin.ticker) });
	}
	return new Response(
		[
			csvLine(['address', 'chain', 'path', 'ticker', 'spendable', 'unspendable']),
			...lines.map(({ address, path, ticker, spendable, unspendable }) =>
				csvLine([
					address,
					sideOf(path),
					path,
					ticker,
					{ decimal: spendable },
					{ decimal: unspendable }
				])
			)
		].join(''),
		{
			headers: {
				'content-type': 'text/csv; charset=utf-8',
				'content-disposition': `attachment; filename="${name.replace(/[^\w.-]/g, '_')}.csv"`,
				'cache-control': 'private, no-store'
			}
		}
	);
}
