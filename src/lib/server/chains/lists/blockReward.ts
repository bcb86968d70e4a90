/** Miner and reward of a block, from the rows of its transactions. */
import type { Index } from '../indexer/open.ts';
import { seqOf } from '../indexer/tables.ts';

export interface BlockReward {
	/** The address that receives most of the reward; null when no output has an address. */
	miner: string | null;
	/** Satoshi: new coins and fees together. */
	reward: bigint;
	/** Satoshi; null when a fee is unknown, for example when an input is from before the first indexed block. */
	fees: bigint | null;
}

/** Computes the reward from the outputs of the block's first transaction. */
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

/** Reads the reward of an indexed block. */
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
				// Imports pay their fee from the burn, so a null fee of theirs is not unknown.
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
