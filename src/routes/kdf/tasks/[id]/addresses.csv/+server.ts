import { error } from '@sveltejs/kit';
import { kdfTask } from '#lib/messages/pages/kdf.ts';
import { csvLine } from '#lib/server/chains/lists/csv.ts';
import { factsOf, sideOf } from '#lib/server/kdf/activation/balances.ts';
import type { Plain } from '#lib/server/kdf/client/plain.ts';
import type { RequestHandler } from './$types';

/** Addresses and balances of an activation as a file. */
export const GET: RequestHandler = async ({ locals, params }) => {
	const row = await locals.app.activations.get(params.id);
	if (!row?.result) error(404, { message: kdfTask.noResult });
	const { lines } = factsOf(row.coin, JSON.parse(row.result) as Plain);
	const text = [
		csvLine(['address', 'chain', 'path', 'ticker', 'spendable', 'unspendable']),
		...lines.map((line) =>
			csvLine([
				line.address,
				sideOf(line.path),
				line.path,
				line.ticker,
				{ decimal: line.spendable },
				{ decimal: line.unspendable }
			])
		)
	].join('');
	return new Response(text, {
		headers: {
			'content-type': 'text/csv; charset=utf-8',
			'content-disposition': `attachment; filename="addresses-${row.id}.csv"`,
			'cache-control': 'private, no-store'
		}
	});
};
