/** What the index knows of an address beyond its sums. Each question looks at a bounded part of its history. */
import type { Index } from '../indexer/open.ts';
import { seqOf } from '../indexer/tables.ts';

/** Points of the balance chart. */
const POINTS = 100;

interface BalancePoint {
	/** Unix milliseconds. */
	at: number;
	/** Satoshi after the last transaction of that block. */
	balance: bigint;
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
