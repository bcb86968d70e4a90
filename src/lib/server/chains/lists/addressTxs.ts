/** The transactions of an address, for each list that shows them. */
import { formatCoins } from '#lib/chain/amount.ts';
import { bytesToHex } from '#lib/chain/bytes.ts';
import type { Index } from '../indexer/open.ts';
import { heightOfSeq, seqOf, type TxKind } from '../indexer/tables.ts';
import type { Order } from './keyset.ts';
import { isoTimeOfSeconds, type ListColumn } from './list.ts';

export interface AddressTx {
	seq: bigint;
	/** Unix seconds. */
	time: bigint;
	txid: Uint8Array;
	kind: TxKind;
	/** Satoshi, as all amounts. */
	received: bigint;
	sent: bigint;
}

/** Newest first. */
export const addressTxOrder: Order<AddressTx> = {
	columns: [{ name: 'a.seq', type: 'int', value: ({ seq }) => seq }],
	descending: true
};

/** Returns the query for the transactions of an address, as the rows `a`, `t` and `b`. */
export const addressTxs = (index: Index, chain: bigint, address: string) =>
	index
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

/** Converts a row to its form in the API. */
export const wireAddressTx = ({ seq, time, txid, kind, received, sent }: AddressTx) => ({
	height: heightOfSeq(seq),
	time: isoTimeOfSeconds(time),
	txid: bytesToHex(txid),
	kind,
	received: formatCoins(received),
	sent: formatCoins(sent),
	change: formatCoins(received - sent)
});

const coins = (satoshi: bigint): { decimal: string } => ({ decimal: formatCoins(satoshi) });

export const addressTxColumns: readonly ListColumn<AddressTx>[] = [
	{ title: 'height', value: ({ seq }) => heightOfSeq(seq) },
	{ title: 'time', value: ({ time }) => isoTimeOfSeconds(time) },
	{ title: 'txid', value: ({ txid }) => bytesToHex(txid) },
	{ title: 'kind', value: ({ kind }) => kind },
	{ title: 'received', value: ({ received }) => coins(received) },
	{ title: 'sent', value: ({ sent }) => coins(sent) },
	{ title: 'net amount', value: ({ received, sent }) => coins(received - sent) }
];
