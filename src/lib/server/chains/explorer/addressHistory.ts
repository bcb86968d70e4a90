/** History of an address from the index. Each query reads a limited part of it. */
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

/** Selects the newest transactions of an address. */
const newest = (index: Index, chain: bigint, address: string, limit: number) =>
	index
		.selectFrom('ix_address_txs')
		.select(['seq', 'received', 'sent'])
		.where('chain', '=', chain)
		.where('address', '=', address)
		.orderBy('seq', 'desc')
		.limit(limit);

/**
 * Returns the balance after each block with one of the newest transactions, oldest first, computed backward from
 * the current balance.
 *
 * @param balance current balance in satoshi
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
