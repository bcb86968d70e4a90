/** Who made a block, and what for: from the rows of its transactions. */
import type { Index } from '../indexer/open.ts';
import { seqOf } from '../indexer/tables.ts';

export interface BlockReward {
	/** The address that receives most of the reward; null where its script has none. */
	miner: string | null;
	/** Satoshi: new coins and fees together. */
	reward: bigint;
	/** Satoshi; null when a fee is not known, as where an input lies before the first indexed block. */
	fees: bigint | null;
}

/** What the outputs of the block's first transaction say. */
export function rewardOf(
	outputs: readonly { address: string | null; value: bigint }[],
	fees: bigint | null
): BlockReward {
	const paid = outputs.toSorted((a, b) => (a.value === b.value ? 0 : a.value > b.value ? -1 : 1));
	return {
		miner: paid.find(({ address }) => address !== null)?.address ?? null,
		reward: outputs.reduce((sum, { value }) => sum + value, 0n),
		fees
	};
}

/** The reward of an indexed block. */
export async function readBlockReward(
	index: Index,
	chain: bigint,
	height: bigint
): Promise<BlockReward> {
	const first = seqOf(height, 0);
	const [outputs, fees] = await Promise.all([
		index
			.selectFrom('ix_outputs')
			.select(['address', 'value'])
			.where('chain', '=', chain)
			.where('seq', '=', first)
			.orderBy('n')
			.execute(),
		index
			.selectFrom('ix_txs')
			.select(({ fn, eb }) => [
				fn.sum<bigint | null>('fee').as('sum'),
				// Imports pay by their burn: they have no fee that could be unknown.
				fn
					.count<bigint>('seq')
					.filterWhere(
						eb.and([
							eb('fee', 'is', null),
							eb('kind', 'not in', ['coinbase', 'import', 'token-import'])
						])
					)
					.as('unknown')
			])
			.where('chain', '=', chain)
			.where('seq', '>=', first)
			.where('seq', '<', seqOf(height + 1n, 0))
			.executeTakeFirstOrThrow()
	]);
	return rewardOf(outputs, BigInt(fees.unknown) > 0n ? null : BigInt(fees.sum ?? 0n));
}
