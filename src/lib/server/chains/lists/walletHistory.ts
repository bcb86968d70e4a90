/**
 * Transactions of an address with the balance after each. The balance on a page requires adding up all newer
 * transactions, so this list is only for those who may use the wallet, and not public.
 */
import { sql } from 'kysely';
import { z } from 'zod';
import { isValidAddress } from '#lib/chain/address.ts';
import { formatCoins } from '#lib/chain/amount.ts';
import { bytesToHex } from '#lib/chain/bytes.ts';
import { listFaults } from '#lib/messages/apiLists.ts';
import type { Index } from '../indexer/open.ts';
import { heightOfSeq, seqOf, type TxKind } from '../indexer/tables.ts';
import { chainIdOf } from './chains.ts';
import { keysetPage, type Order } from './keyset.ts';
import { isoTimeOfSeconds, NO_ROWS, optionalText, type List } from './list.ts';
import { TX_KINDS } from './transactions.ts';

interface PlainRow {
	seq: bigint;
	/** Unix seconds. */
	time: bigint;
	txid: Uint8Array;
	kind: TxKind;
	/** Satoshi, as all amounts. */
	received: bigint;
	sent: bigint;
}

interface HistoryRow extends PlainRow {
	/** After this transaction. */
	balance: bigint;
}

const DIRECTIONS = ['in', 'out'] as const;

const filter = z.object({
	address: z.string(listFaults.address.missing).refine(isValidAddress, listFaults.address.invalid),
	kind: optionalText(z.enum(TX_KINDS, listFaults.transactionKind)),
	direction: optionalText(z.enum(DIRECTIONS, listFaults.direction))
});

const order: Order<PlainRow> = {
	columns: [{ name: 'a.seq', type: 'int', value: ({ seq }) => seq }],
	descending: true
};

const coins = (satoshi: bigint): { decimal: string } => ({ decimal: formatCoins(satoshi) });

export const walletHistory: List<HistoryRow, typeof filter> = {
	name: 'history',
	summary: '',
	scope: 'chain',
	filter,
	sorts: ['-place'],
	row: z.unknown(),
	wire: ({ seq, time, txid, kind, received, sent, balance }) => ({
		height: heightOfSeq(seq),
		time: isoTimeOfSeconds(time),
		txid: bytesToHex(txid),
		kind,
		received: formatCoins(received),
		sent: formatCoins(sent),
		change: formatCoins(received - sent),
		balance: formatCoins(balance)
	}),
	columns: [
		{ title: 'height', value: ({ seq }) => heightOfSeq(seq) },
		{ title: 'time', value: ({ time }) => isoTimeOfSeconds(time) },
		{ title: 'txid', value: ({ txid }) => bytesToHex(txid) },
		{ title: 'kind', value: ({ kind }) => kind },
		{ title: 'received', value: ({ received }) => coins(received) },
		{ title: 'sent', value: ({ sent }) => coins(sent) },
		{ title: 'net amount', value: ({ received, sent }) => coins(received - sent) },
		{ title: 'balance', value: ({ balance }) => coins(balance) }
	],
	async read(index, query, after) {
		const chain = await chainIdOf(index, query.chain);
		if (chain === null) return NO_ROWS;
		const { address, kind, direction } = query.filter;
		let rows = index
			.selectFrom('ix_address_txs as a')
			.innerJoin('ix_txs as t', (join) =>
				join.onRef('t.chain', '=', 'a.chain').onRef('t.seq', '=', 'a.seq')
			)
			.innerJoin('ix_blocks as b', (join) =>
				join
					.onRef('b.chain', '=', 'a.chain')
					.on((eb) => eb('b.height', '=', eb('a.seq', '/', seqOf(1, 0))))
			)
			.select(['a.seq', 'b.time', 't.txid', 't.kind', 'a.received', 'a.sent'])
			.where('a.chain', '=', chain)
			.where('a.address', '=', address);
		if (kind !== undefined) rows = rows.where('t.kind', '=', kind);
		if (direction === 'in') rows = rows.whereRef('a.received', '>=', 'a.sent');
		if (direction === 'out') rows = rows.whereRef('a.received', '<', 'a.sent');
		const page = await keysetPage(rows, order, query);
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
	rows: readonly PlainRow[],
	above: HistoryRow | undefined
): Promise<ReadonlyMap<bigint, bigint>> {
	const [first, last] = [rows[0], rows.at(-1)];
	if (first === undefined || last === undefined) return new Map();
	const ofAddress = sql`chain = ${chain} and address = ${address}`;
	const from =
		above === undefined
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
