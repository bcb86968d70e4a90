/**
 * The outputs of a wallet as a list: filtered, sorted and paged here, because the daemon returns all of them
 * at once. Pure.
 */
import { formatCoins } from '#lib/chain/amount.ts';
import { csvLine } from '../../chains/lists/csv.ts';
import { nameOfUtxo } from '#lib/chain/nameOfUtxo.ts';
import type { UtxoRow, UtxoState } from './balances.ts';

const UTXO_STATES = ['free', 'locked', 'pending', 'watched'] as const satisfies UtxoState[];
const UTXO_SORTS = ['-amount', 'amount', '-age', 'age'] as const;
type UtxoSort = (typeof UTXO_SORTS)[number];

/** Parameters of the list; invalid ones are ignored. */
interface UtxoQuery {
	state: UtxoState | '';
	sort: UtxoSort;
	/** Number of rows before the page. */
	offset: number;
}

/** Reads filter, order and offset from the query string; unknown values give the defaults. */
export function utxoQuery(parameters: URLSearchParams): UtxoQuery {
	const offset = Number(parameters.get('cursor') ?? '0');
	return {
		state: UTXO_STATES.find((name) => name === parameters.get('state')) ?? '',
		sort: UTXO_SORTS.find((name) => name === parameters.get('sort')) ?? '-amount',
		offset: Number.isSafeInteger(offset) && offset > 0 ? offset : 0
	};
}

const compare = (a: bigint | number, b: bigint | number): number => (a < b ? -1 : a > b ? 1 : 0);

function ordered(rows: readonly UtxoRow[], sort: UtxoSort): UtxoRow[] {
	const value = (row: UtxoRow): bigint | number =>
		sort.endsWith('amount') ? row.amount : row.confirmations;
	const sign = sort.startsWith('-') ? -1 : 1;
	return rows.toSorted(
		(a, b) => sign * compare(value(a), value(b)) || (nameOfUtxo(a) < nameOfUtxo(b) ? -1 : 1)
	);
}

/** Returns all rows that match a query, in its order. */
export const utxosOf = (rows: readonly UtxoRow[], { state, sort }: UtxoQuery): UtxoRow[] =>
	ordered(state === '' ? rows : rows.filter((row) => row.state === state), sort);

/** Returns one page of the list, in the shape that pages of lists take. */
export function utxoPage(rows: readonly UtxoRow[], query: UtxoQuery, file: string, limit: number) {
	const all = utxosOf(rows, query);
	// Outputs may have been spent since: an offset behind the end starts again at the first page.
	const offset = query.offset < all.length ? query.offset : 0;
	const given = {
		...(query.state === '' ? {} : { state: query.state }),
		...(query.sort === '-amount' ? {} : { sort: query.sort })
	};
	return {
		rows: all.slice(offset, offset + limit),
		total: all.length,
		next: offset + limit < all.length ? String(offset + limit) : null,
		previous: null,
		further: offset > 0,
		state: query.state,
		sort: query.sort,
		file,
		query: new URLSearchParams(given).toString()
	};
}

/** Returns outputs as CSV, with amounts in coins. */
export const utxosCsv = (rows: readonly UtxoRow[]): string =>
	[
		csvLine(['txid', 'vout', 'amount', 'address', 'confirmations', 'state', 'locked until']),
		...rows.map(({ txid, vout, amount, address, confirmations, state, lock }) =>
			csvLine([
				txid,
				vout,
				{ decimal: formatCoins(amount) },
				address,
				confirmations,
				state,
				lock === null ? null : new Date(lock.until).toISOString()
			])
		)
	].join('');

/** Returns outputs as JSON. */
export const utxosJson = (rows: readonly UtxoRow[]): string =>
	JSON.stringify(
		rows.map(({ txid, vout, amount, address, confirmations, state, lock }) => ({
			txid,
			vout,
			amount: formatCoins(amount),
			address,
			confirmations,
			state,
			lockedUntil: lock === null ? null : new Date(lock.until).toISOString()
		})),
		null,
		1
	);
