/**
 * Transactions of an address with the balance after each. The balance on a page requires adding up all newer
 * transactions, so this list is only for those who may use the wallet, and not public.
 */
import { sql } from 'kysely';
import { z } from 'zod';
import { isValidAddress } from '#lib/chain/address.ts';
import { formatCoins } from '#lib/chain/amount.ts';
import { listFaults } from '#lib/messages/apiLists.ts';
import type { Index } from '../indexer/open.ts';
import {
	addressTxColumns,
	addressTxOrder,
	addressTxs,
	wireAddressTx,
	type AddressTx
} from './addressTxs.ts';
import { isFromStart } from '#lib/text/indexed.ts';
import { chainProgress } from './chains.ts';
import { keysetPage } from './keyset.ts';
import { NO_ROWS, optionalText, type List } from './list.ts';
import { TX_KINDS } from './transactions.ts';

interface HistoryRow extends AddressTx {
	/** After this transaction; null when the chain is not indexed from its start. */
	balance: bigint | null;
}

const coinsOf = ({ balance }: HistoryRow): string | null =>
	balance === null ? null : formatCoins(balance);

const DIRECTIONS = ['in', 'out'] as const;

const filter = z.object({
	address: z.string(listFaults.address.missing).refine(isValidAddress, listFaults.address.invalid),
	kind: optionalText(z.enum(TX_KINDS, listFaults.transactionKind)),
	direction: optionalText(z.enum(DIRECTIONS, listFaults.direction))
});

export const walletHistory: List<HistoryRow, typeof filter> = {
	name: 'history',
	summary: '',
	scope: 'chain',
	filter,
	sorts: ['-place'],
	row: z.unknown(),
	wire: (row) => ({ ...wireAddressTx(row), balance: coinsOf(row) }),
	columns: [
		...addressTxColumns,
		{
			title: 'balance',
			value(row) {
				const decimal = coinsOf(row);
				return decimal === null ? null : { decimal };
			}
		}
	],
	async read(index, query, after) {
		const progress = query.chain === undefined ? null : await chainProgress(index, query.chain);
		if (progress === null) return NO_ROWS;
		const chain = progress.id;
		const { address, kind, direction } = query.filter;
		let rows = addressTxs(index, chain, address);
		if (kind !== undefined) rows = rows.where('t.kind', '=', kind);
		if (direction === 'in') rows = rows.whereRef('a.received', '>=', 'a.sent');
		if (direction === 'out') rows = rows.whereRef('a.received', '<', 'a.sent');
		const page = await keysetPage(rows, addressTxOrder, query);
		if (!isFromStart(progress)) {
			return { ...page, rows: page.rows.map((row) => ({ ...row, balance: null })) };
		}
		const balances = await balancesAfter(index, { chain, address }, page.rows, after?.rows.at(-1));
		return {
			...page,
			// A transaction without a balance was undone since the page was read.
			rows: page.rows.flatMap((row) => {
				const balance = balances.get(row.seq);
				return balance === undefined ? [] : [{ ...row, balance }];
			})
		};
	}
};

/**
 * Returns the balance of an address after each of these transactions, newest first, which need not be all. It is
 * counted back from the current balance, or from that of the row above them, where an export has read it.
 */
async function balancesAfter(
	index: Index,
	{ chain, address }: { chain: bigint; address: string },
	rows: readonly AddressTx[],
	above: HistoryRow | undefined
): Promise<ReadonlyMap<bigint, bigint>> {
	const [first, last] = [rows[0], rows.at(-1)];
	if (first === undefined || last === undefined) return new Map();
	const ofAddress = sql`chain = ${chain} and address = ${address}`;
	const from =
		above === undefined || above.balance === null
			? sql`(select balance from ix_addresses where ${ofAddress})`
			: sql`cast(${above.balance - above.received + above.sent} as bigint)`;
	const isBelow = above === undefined ? sql`` : sql`and seq < ${above.seq}`;
	const { rows: balances } = await sql<{ seq: bigint; balance: bigint }>`
		select seq, cast(${from} - later - coalesce((
			select sum(received - sent) from ix_address_txs
			where ${ofAddress} and seq > ${first.seq} ${isBelow}
		), 0) as bigint) as balance
		from (
			select seq, sum(received - sent) over (order by seq desc) - received + sent as later
			from ix_address_txs
			where ${ofAddress} and seq <= ${first.seq} and seq >= ${last.seq}
		) as part
		where seq in (${sql.join(rows.map(({ seq }) => seq))})`.execute(index);
	return new Map(balances.map(({ seq, balance }) => [seq, balance]));
}
