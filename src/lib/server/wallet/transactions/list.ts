/** The team's transactions as a list, for their page and its files. */
import { z } from 'zod';
import { formatCoins } from '#lib/chain/amount.ts';
import { listFaults } from '#lib/messages/apiLists.ts';
import { exportList } from '../../chains/lists/exportList.ts';
import { byCreation } from '../../chains/lists/byCreation.ts';
import { keysetPage } from '../../chains/lists/keyset.ts';
import { nameText, optionalText, type List } from '../../chains/lists/list.ts';
import { listQuery } from '../../chains/lists/listQuery.ts';
import type { Database } from '../../platform/database/database.ts';
import type { WalletTables } from '../tables.ts';
import { readableBy, type Reader } from './readers.ts';
import { tokenOf } from './request.ts';
import { statusOf, type Status } from './status.ts';
import { toSend, type Send } from './store.ts';
import { SEND_KINDS, UNSENT } from './tables.ts';
import { isoTime } from '#lib/text/utc.ts';

/** States that the list can be filtered by. */
export const STATUSES = [
	'reviewed',
	'needs-approval',
	'next',
	'broadcasting',
	'unknown',
	'broadcast',
	'confirmed',
	'rejected',
	'discarded'
] as const satisfies readonly Status[];

const filter = z.object({
	chain: optionalText(nameText),
	kind: optionalText(z.enum(SEND_KINDS, listFaults.kind)),
	state: optionalText(z.enum(STATUSES, listFaults.state)),
	by: optionalText(nameText)
});

interface Line {
	send: Send;
	status: Status;
}

const decimal = (satoshi: bigint): { decimal: string } => ({ decimal: formatCoins(satoshi) });

/**
 * Defines the list of transactions.
 * @param now Unix milliseconds; a review that has expired by then is listed as discarded
 * @param reader the member who reads the list: it contains only transactions that this member may read
 */
export function createTransactionList(
	now: number,
	reader: Reader
): List<Line, typeof filter, Database<WalletTables>> {
	return {
		name: 'transactions',
		summary: '',
		scope: 'all',
		filter,
		sorts: ['-created', 'created'],
		row: z.unknown(),
		wire: ({ send, status }) => ({
			id: send.id,
			created: isoTime(send.createdAt),
			by: send.createdBy,
			kind: send.kind,
			state: status,
			chain: send.chain,
			wallet: send.daemon,
			txid: send.txid,
			height: send.height,
			debited: formatCoins(send.review.cost),
			fee: formatCoins(send.review.fee),
			tokenid: tokenOf(send.request)
		}),
		columns: [
			{ title: 'created', value: ({ send }) => isoTime(send.createdAt) },
			{ title: 'by', value: ({ send }) => send.createdBy },
			{ title: 'kind', value: ({ send }) => send.kind },
			{ title: 'state', value: ({ status }) => status },
			{ title: 'chain', value: ({ send }) => send.chain },
			{ title: 'wallet', value: ({ send }) => send.daemon },
			{ title: 'txid', value: ({ send }) => send.txid },
			{ title: 'height', value: ({ send }) => send.height },
			{ title: 'debited', value: ({ send }) => decimal(send.review.cost) },
			{ title: 'fee', value: ({ send }) => decimal(send.review.fee) },
			{ title: 'tokenid', value: ({ send }) => tokenOf(send.request) }
		],
		async read(db, query) {
			const { chain, kind, state, by } = query.filter;
			let rows = db
				.selectFrom('transactions as t')
				.leftJoin('transactions as first', 'first.id', 't.follows')
				.selectAll('t')
				.select(['first.state as first_state', 'first.final_at as first_final_at'])
				.where(readableBy(reader, 'review'));
			if (chain !== undefined) rows = rows.where('t.chain', '=', chain);
			if (kind !== undefined) rows = rows.where('t.kind', '=', kind);
			if (by !== undefined) rows = rows.where('t.created_by', '=', by);
			if (state !== undefined) {
				// The result of `statusOf` for a row, as an SQL condition.
				rows = rows.where(({ eb, and, or, not }) => {
					const reviewed = eb('t.state', '=', 'reviewed');
					const follows = and([reviewed, eb('t.follows', 'is not', null)]);
					const awaits = eb('first.state', '=', 'needs-approval');
					const alone = or([eb('t.follows', 'is', null), eb('first.state', '=', 'reviewed')]);
					const old = eb('t.expires_at', '<=', BigInt(now));
					const isDead = and([
						eb('first.state', '=', 'rejected'),
						eb('first.final_at', 'is not', null)
					]);
					if (state === 'next') {
						const waits = eb('first.state', 'not in', UNSENT);
						return and([follows, waits, not(isDead)]);
					}
					if (state === 'needs-approval') {
						return or([eb('t.state', '=', state), and([follows, awaits])]);
					}
					if (state === 'reviewed') return and([reviewed, alone, not(old)]);
					if (state !== 'discarded') return eb('t.state', '=', state);
					return or([
						eb('t.state', '=', 'discarded'),
						and([reviewed, alone, old]),
						and([follows, isDead])
					]);
				});
			}
			const page = await keysetPage(rows, byCreation(query.sort.startsWith('-'), 't.'), query);
			return {
				...page,
				rows: page.rows.map(({ first_state, first_final_at, ...row }) => {
					const send = toSend(row);
					const finalAt = first_final_at === null ? null : Number(first_final_at);
					const before = first_state === null ? null : { state: first_state, finalAt };
					return { send, status: statusOf(send, now, before) };
				})
			};
		}
	};
}

/**
 * Exports the transactions that match a filter as a file, without their bytes.
 * @param parameters filter and order, as in the query string of the page
 * @throws {AppError} `api` for invalid parameters
 */
export function transactionFile(
	db: Database<WalletTables>,
	reader: Reader,
	parameters: URLSearchParams,
	form: 'csv' | 'export'
): Promise<Response> {
	const list = createTransactionList(Date.now(), reader);
	return exportList(db, list, listQuery(list, undefined, parameters), form, null);
}
