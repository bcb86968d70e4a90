/** What the index knows of an address beyond its sums. Each question looks at a bounded part of its history. */
import type { Index } from '../indexer/open.ts';
import { heightOfSeq, seqOf } from '../indexer/tables.ts';
import { bytesHex } from '../lists/list.ts';

/** Points of the balance chart. */
const POINTS = 100;
/** Transactions that are looked through for unspent outputs, and outputs that are shown. */
const LOOKED_THROUGH = 1_000;
const SHOWN = 200;

interface BalancePoint {
	/** Unix milliseconds. */
	at: number;
	/** Satoshi after the last transaction of that block. */
	balance: bigint;
}

/** An unspent output; amounts are satoshi. */
interface Utxo {
	txid: string;
	vout: number;
	value: bigint;
	height: number;
	/** Locked by a crypto-condition (a token, for instance). */
	condition: boolean;
}

interface Utxos {
	rows: Utxo[];
	/** There may be more: outputs of older transactions, or more than are shown. */
	isPart: boolean;
}

/** The newest transactions of an address. */
const newest = (index: Index, chain: bigint, address: string, limit: number) =>
	index
		.selectFrom('ix_address_txs')
		.select(['seq', 'received', 'sent'])
		.where('chain', '=', chain)
		.where('address', '=', address)
		.orderBy('seq', 'desc')
		.limit(limit);

/**
 * The balance after each of the newest transactions, the oldest first: from what lies there now it is counted back.
 *
 * @param balance satoshi that lie there now
 */
export async function balanceOverTime(
	index: Index,
	chain: bigint,
	address: string,
	balance: bigint
): Promise<BalancePoint[]> {
	const rows = await index
		.selectFrom(newest(index, chain, address, POINTS).as('a'))
		.innerJoin('ix_blocks as b', (join) =>
			join.on('b.chain', '=', chain).on((eb) => eb('b.height', '=', eb('a.seq', '/', seqOf(1, 0))))
		)
		.select(['a.seq', 'a.received', 'a.sent', 'b.time'])
		.execute();
	const points: BalancePoint[] = [];
	let after = balance;
	for (const { received, sent, time } of rows.toSorted((a, b) => (a.seq > b.seq ? -1 : 1))) {
		const at = Number(time) * 1000;
		if (points.at(-1)?.at !== at) points.push({ at, balance: after });
		after -= received - sent;
	}
	return points.toReversed();
}

/** Unspent outputs among those of the newest transactions of an address, the newest first. */
export async function unspentOutputs(
	index: Index,
	chain: bigint,
	address: string,
	transactions: bigint
): Promise<Utxos> {
	const rows = await index
		.selectFrom(newest(index, chain, address, LOOKED_THROUGH).as('a'))
		.innerJoin('ix_outputs as o', (join) =>
			join.on('o.chain', '=', chain).onRef('o.seq', '=', 'a.seq')
		)
		.innerJoin('ix_txs as t', (join) => join.on('t.chain', '=', chain).onRef('t.seq', '=', 'a.seq'))
		.select(['o.seq', 'o.n', 'o.value', 'o.type', 't.txid'])
		.where('o.address', '=', address)
		.where('o.spent_seq', 'is', null)
		.orderBy('o.seq', 'desc')
		.orderBy('o.n')
		.limit(SHOWN + 1)
		.execute();
	return {
		rows: rows.slice(0, SHOWN).map(({ seq, n, value, type, txid }) => ({
			txid: bytesHex(txid),
			vout: Number(n),
			value,
			height: heightOfSeq(seq),
			condition: type === 'cryptocondition'
		})),
		isPart: rows.length > SHOWN || transactions > LOOKED_THROUGH
	};
}
