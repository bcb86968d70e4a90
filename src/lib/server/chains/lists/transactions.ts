import { bytesToHex } from '#lib/chain/bytes.ts';
import { listFaults, listMembers, listSummaries } from '#lib/messages/apiLists.ts';
import { z } from 'zod';
import { formatCoins } from '#lib/chain/amount.ts';
import { heightOfSeq, placeOfSeq, seqOf, type TxKind } from '../indexer/tables.ts';
import { chainIdOf } from './chains.ts';
import { keysetPage, type Order } from './keyset.ts';
import {
	Coins,
	Hash,
	Height,
	heightText,
	isoTimeOfSeconds,
	optionalText,
	Time,
	type List,
	NO_ROWS
} from './list.ts';

export interface TransactionRow {
	seq: bigint;
	txid: Uint8Array;
	kind: TxKind;
	size: bigint;
	inputs: bigint;
	outputs: bigint;
	/** Satoshi. */
	value: bigint;
	fee: bigint | null;
	/** Unix seconds of its block. */
	time: bigint;
}

export const TX_KINDS = [
	'coinbase',
	'transfer',
	'token-create',
	'token-transfer',
	'notarization',
	'burn',
	'token-burn',
	'import',
	'token-import',
	'notary-approval',
	'self-import-source',
	'shielded',
	'other'
] as const satisfies readonly TxKind[];

const filter = z.object({
	kind: optionalText(z.enum(TX_KINDS, listFaults.transactionKind)).describe(
		listMembers.transactionKind
	),
	block: optionalText(heightText).describe(listMembers.transactionBlock)
});

const order = (descending: boolean): Order<TransactionRow> => ({
	columns: [{ name: 't.seq', type: 'int', value: ({ seq }) => seq }],
	descending
});

export const transactions: List<TransactionRow, typeof filter> = {
	name: 'transactions',
	summary: listSummaries.transactions,
	scope: 'chain',
	filter,
	sorts: ['-place', 'place'],
	row: z.object({
		height: Height,
		place: z.int(),
		txid: Hash,
		kind: z.enum(TX_KINDS),
		size: z.int(),
		inputs: z.int(),
		outputs: z.int(),
		value: Coins,
		fee: Coins.nullable(),
		time: Time
	}),
	wire: (row) => ({
		height: heightOfSeq(row.seq),
		place: placeOfSeq(row.seq),
		txid: bytesToHex(row.txid),
		kind: row.kind,
		size: Number(row.size),
		inputs: Number(row.inputs),
		outputs: Number(row.outputs),
		value: formatCoins(row.value),
		fee: row.fee === null ? null : formatCoins(row.fee),
		time: isoTimeOfSeconds(row.time)
	}),
	columns: [
		{ title: 'height', value: ({ seq }) => heightOfSeq(seq) },
		{ title: 'txid', value: ({ txid }) => bytesToHex(txid) },
		{ title: 'kind', value: ({ kind }) => kind },
		{ title: 'size', value: ({ size }) => size },
		{ title: 'inputs', value: ({ inputs }) => inputs },
		{ title: 'outputs', value: ({ outputs }) => outputs },
		{ title: 'value', value: ({ value }) => ({ decimal: formatCoins(value) }) },
		{ title: 'fee', value: ({ fee }) => (fee === null ? null : { decimal: formatCoins(fee) }) },
		{ title: 'time', value: ({ time }) => isoTimeOfSeconds(time) }
	],
	async read(index, query) {
		const chain = await chainIdOf(index, query.chain);
		if (chain === null) return NO_ROWS;
		let rows = index
			.selectFrom('ix_txs as t')
			.innerJoin('ix_blocks as b', (join) =>
				join
					.onRef('b.chain', '=', 't.chain')
					.on((eb) => eb('b.height', '=', eb('t.seq', '/', 65_536n)))
			)
			.select(['t.seq', 't.txid', 't.kind', 't.size', 't.inputs', 't.outputs', 't.value', 't.fee'])
			.select('b.time')
			.where('t.chain', '=', chain);
		const { kind, block } = query.filter;
		if (kind !== undefined) rows = rows.where('t.kind', '=', kind);
		if (block !== undefined) {
			rows = rows.where('t.seq', '>=', seqOf(block, 0)).where('t.seq', '<', seqOf(block + 1, 0));
		}
		return keysetPage(rows, order(query.sort.startsWith('-')), query);
	}
};
