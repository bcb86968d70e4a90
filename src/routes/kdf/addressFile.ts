import { csvLine } from '#lib/server/chains/lists/csv.ts';
import { sideOf, type BalanceLine } from '#lib/server/kdf/activation/balances.ts';

/** Addresses and what they hold as a file; `of` what, as its name says. */
export const addressFile = (lines: readonly BalanceLine[], of: string): Response =>
	new Response(
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
				'content-disposition': `attachment; filename="addresses-${of}.csv"`,
				'cache-control': 'private, no-store'
			}
		}
	);
