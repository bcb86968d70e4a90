/**
 * Transactions of an address with the balance after each. The balance requires adding up the whole history, so this
 * list is only for those who may use the wallet, and not public.
 */
import { sql } from 'kysely';
import { z } from 'zod';
import { isValidAddress } from '#lib/chain/address.ts';
import { formatCoins } from '#lib/chain/amount.ts';
import { listFaults } from '#lib/messages/apiLists.ts';
import { heightOfSeq, seqOf, type TxKind } from '../indexer/tables.ts';
import { chainIdOf } from './chains.ts';
import { keysetPage, type Order } from './keyset.ts';
import { bytesHex, isoTimeOfSeconds, NO_ROWS, optionalText, type List } from './list.ts';
import { TX_KINDS } from './transactions.ts';

interface HistoryRow {
	seq: bigint;
	/** Unix seconds. */
	time: bigint;
	txid: Uint8Array;
	kind: TxKind;
	/** Satoshi, also the two below. */
	received: bigint;
	sent: bigint;
	/** After this transaction. */
	balance: bigint;
}

const DIRECTIONS = ['in', 'out'] as const;

const filter = z.object({
	address: z.string(listFaults.address.missing).refine(isValidAddress, listFaults.address.invalid),
	kind: optionalText(z.enum(TX_KINDS, listFaults.transactionKind)),
	direction: optionalText(z.enum(DIRECTIONS, listFaults.direction))
});

const order: Order<HistoryRow> = {
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
		txid: bytesHex(txid),
		kind,
		received: formatCoins(received),
		sent: formatCoins(sent),
		change: formatCoins(received - sent),
		balance: formatCoins(balance)
	}),
	columns: [
		{ title: 'height', value: ({ seq }) => heightOfSeq(seq) },
		{ title: 'time', value: ({ time }) => isoTimeOfSeconds(time) },
		{ title: 'txid', value: ({ txid }) => bytesHex(txid) },
		{ title: 'kind', value: ({ kind }) => kind },
		{ title: 'received', value: ({ received }) => coins(received) },
		{ title: 'sent', value: ({ sent }) => coins(sent) },
		{ title: 'net amount', value: ({ received, sent }) => coins(received - sent) },
		{ title: 'balance', value: ({ balance }) => coins(balance) }
	],
	async read(index, query) {
		const chain = await chainIdOf(index, query.chain);
		if (chain === null) return NO_ROWS;
		const { address, kind, direction } = query.filter;
		// The balance also includes transactions that the filter excludes.
		const added = index
			.selectFrom('ix_address_txs')
			.select([
				'seq',
				'received',
				'sent',
				sql<bigint>`cast(sum(received - sent) over (order by seq) as bigint)`.as('balance')
			])
			.where('chain', '=', chain)
			.where('address', '=', address);
		let rows = index
			.selectFrom(added.as('a'))
			.innerJoin('ix_txs as t', (join) =>
				join.on('t.chain', '=', chain).onRef('t.seq', '=', 'a.seq')
			)
			.innerJoin('ix_blocks as b', (join) =>
				join
					.on('b.chain', '=', chain)
					.on((eb) => eb('b.height', '=', eb('a.seq', '/', seqOf(1, 0))))
			)
			.select(['a.seq', 'b.time', 't.txid', 't.kind', 'a.received', 'a.sent', 'a.balance']);
		if (kind !== undefined) rows = rows.where('t.kind', '=', kind);
		if (direction === 'in') rows = rows.whereRef('a.received', '>=', 'a.sent');
		if (direction === 'out') rows = rows.whereRef('a.received', '<', 'a.sent');
		return keysetPage(rows, order, query);
	}
};
