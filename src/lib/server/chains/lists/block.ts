import type { Index } from '../indexer/open.ts';
import { seqOf } from '../indexer/tables.ts';
import type { BlockRow } from './blocks.ts';
import { reachOf, type Reach } from './reach.ts';
import type { Window } from './transaction.ts';
import type { TransactionRow } from './transactions.ts';

/** An indexed block with its neighborhood. */
interface IndexedBlock {
	row: BlockRow;
	/** The previous block; null for the first indexed one. Its time is in Unix seconds. */
	previous: { hash: Uint8Array; time: bigint } | null;
	reach: Reach;
}

/**
 * Reads a block by height or hash; null when it is not indexed.
 * @param id a height, or a hash in display order
 */
export async function readIndexedBlock(
	index: Index,
	chain: bigint,
	id: bigint | Uint8Array
): Promise<IndexedBlock | null> {
	const found = await index
		.selectFrom('ix_blocks as b')
		.innerJoin('ix_chains as c', 'c.id', 'b.chain')
		.leftJoin('ix_blocks as p', (join) =>
			join.onRef('p.chain', '=', 'b.chain').on((eb) => eb('p.height', '=', eb('b.height', '-', 1n)))
		)
		.select(['b.height', 'b.hash', 'b.time', 'b.size', 'b.txs'])
		.select(['p.hash as previous', 'p.time as previous_time'])
		.select(['c.height as indexed', 'c.target_height as target'])
		.where('b.chain', '=', chain)
		.where(typeof id === 'bigint' ? 'b.height' : 'b.hash', '=', id)
		.executeTakeFirst();
	if (!found) return null;
	const { previous, previous_time, indexed, target, ...row } = found;
	return {
		row,
		previous: previous && { hash: previous, time: previous_time ?? 0n },
		reach: reachOf(indexed, target)
	};
}

/** Reads some transactions of a block, in order. */
export async function readBlockTransactions(
	index: Index,
	chain: bigint,
	{ height, time }: Pick<BlockRow, 'height' | 'time'>,
	{ from, most }: Window
): Promise<TransactionRow[]> {
	const rows = await index
		.selectFrom('ix_txs')
		.select(['seq', 'txid', 'kind', 'size', 'inputs', 'outputs', 'value', 'fee'])
		.where('chain', '=', chain)
		.where('seq', '>=', seqOf(height, from))
		.where('seq', '<', seqOf(height + 1n, 0))
		.orderBy('seq')
		.limit(most)
		.execute();
	return rows.map((row) => ({ ...row, time }));
}
