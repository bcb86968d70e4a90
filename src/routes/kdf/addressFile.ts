import { csvLine } from '#lib/server/chains/lists/csv.ts';
import { sideOf, type BalanceLine } from '#lib/server/kdf/activation/balances.ts';

/** Responds with addresses and balances as a CSV file; the name may contain any characters. */
export const addressFile = (lines: readonly BalanceLine[], name: string): Response =>
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
				'content-disposition': `attachment; filename="${name.replace(/[^\w.-]/g, '_')}.csv"`,
				'cache-control': 'private, no-store'
			}
		}
	);
