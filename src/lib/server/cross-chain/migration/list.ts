/** The team's migrations as a list, for their page and its files. */
import { z } from 'zod';
import { formatCoins } from '#lib/chain/amount.ts';
import { listFaults } from '#lib/messages/apiLists.ts';
import { isoTime } from '#lib/text/utc.ts';
import { exportList } from '../../chains/lists/exportList.ts';
import { byCreation } from '../../chains/lists/byCreation.ts';
import { keysetPage } from '../../chains/lists/keyset.ts';
import { nameText, optionalText, type List } from '../../chains/lists/list.ts';
import { listQuery } from '../../chains/lists/listQuery.ts';
import type { Database } from '../../platform/database/database.ts';
import type { CrossChainTables } from '../tables.ts';
import type { MigrationRow } from './migrationRecord.ts';
import { rowOf } from './readRecord.ts';
import { STATES } from './states.ts';

const filter = z.object({
	/** Matches source or destination. */
	chain: optionalText(nameText),
	state: optionalText(z.enum(STATES, listFaults.state)),
	by: optionalText(nameText)
});

/** Returns what arrives as a decimal number: coins, or base units of a token. */
const amountOf = ({ tokenid, amount }: MigrationRow): string =>
	tokenid === null ? formatCoins(amount) : amount.toString();

export const migrationList: List<MigrationRow, typeof filter, Database<CrossChainTables>> = {
	name: 'migrations',
	summary: '',
	scope: 'all',
	filter,
	sorts: ['-created', 'created'],
	row: z.unknown(),
	wire: (row) => ({
		id: row.id,
		created: isoTime(Number(row.created_at)),
		by: row.created_by,
		source: row.source,
		destination: row.destination,
		state: row.state,
		reason: row.reason?.code ?? null,
		amount: amountOf(row),
		tokenid: row.tokenid,
		token: row.token_name
	}),
	columns: [
		{ title: 'id', value: ({ id }) => id },
		{ title: 'created', value: (row) => isoTime(Number(row.created_at)) },
		{ title: 'by', value: (row) => row.created_by },
		{ title: 'source', value: ({ source }) => source },
		{ title: 'destination', value: ({ destination }) => destination },
		{ title: 'state', value: ({ state }) => state },
		{ title: 'reason', value: ({ reason }) => reason?.code ?? null },
		{ title: 'amount', value: (row) => ({ decimal: amountOf(row) }) },
		{ title: 'tokenid', value: ({ tokenid }) => tokenid },
		{ title: 'token', value: (row) => row.token_name }
	],
	async read(db, query) {
		const { chain, state, by } = query.filter;
		let rows = db.selectFrom('migrations').selectAll();
		if (chain !== undefined) {
			rows = rows.where((or) => or.or([or('source', '=', chain), or('destination', '=', chain)]));
		}
		if (state !== undefined) rows = rows.where('state', '=', state);
		if (by !== undefined) rows = rows.where('created_by', '=', by);
		const page = await keysetPage(rows, byCreation(query.sort.startsWith('-')), query);
		return { ...page, rows: page.rows.map(rowOf) };
	}
};

/**
 * Exports the migrations that match a filter as a file.
 * @param parameters filter and order, as in the query string of the page
 * @throws {AppError} `api` for invalid parameters
 */
export const migrationFile = (
	db: Database<CrossChainTables>,
	parameters: URLSearchParams,
	form: 'csv' | 'export'
): Promise<Response> =>
	exportList(db, migrationList, listQuery(migrationList, undefined, parameters), form, null);
