/** Miner and reward of a block, from the rows of its transactions. */
import { valueOf } from '#lib/chain/amount.ts';
import { IMPORT_FEE } from '#lib/chain/burn.ts';
import type { Index } from '../indexer/open.ts';
import { seqOf } from '../indexer/tables.ts';

export interface BlockReward {
	/** The address of the first output that has one; null when none has. */
	miner: string | null;
	/** Satoshi: new coins and fees together. */
	reward: bigint;
	/** Satoshi; null when a fee is unknown: an input is from before the first indexed block, or may have earned interest. */
	fees: bigint | null;
}

/**
 * Computes the reward from the outputs of the block's first transaction. Komodo daemon 0.9.0 pays the miner or staker
 * by the first one (miner.cpp, `CreateNewBlock`); shares of founders and notaries follow, and can be larger.
 */
export function rewardOf(
	outputs: readonly { address: string | null; value: bigint }[],
	fees: bigint | null
): BlockReward {
	return {
		miner: outputs.find(({ address }) => address !== null)?.address ?? null,
		reward: valueOf(outputs),
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
	const [outputs, fees, importFees] = await Promise.all([
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
			.executeTakeFirstOrThrow(),
		importFeesOf(index, chain, height)
	]);
	const known = BigInt(fees.sum ?? 0n) + importFees;
	return rewardOf(outputs, BigInt(fees.unknown) > 0n ? null : known);
}

/** Returns the sum of what the imports of a block pay from their burns, in satoshi. */
async function importFeesOf(index: Index, chain: bigint, height: bigint): Promise<bigint> {
	const rows = await index
		.selectFrom('ix_imports as i')
		.innerJoin('ix_txs as t', (on) =>
			on.onRef('t.chain', '=', 'i.chain').onRef('t.seq', '=', 'i.seq')
		)
		.select(['i.ccid', 'i.token', 'i.value as burned', 't.value as paid'])
		.where('i.chain', '=', chain)
		.where('i.seq', '>=', seqOf(height, 0))
		.where('i.seq', '<', seqOf(height + 1n, 0))
		.execute();
	const coins = rows.filter(({ ccid, token }) => ccid !== null && token === null);
	const tokens = rows.filter(({ token }) => token !== null);
	return coins.reduce(
		(sum, { burned, paid }) => sum + burned - paid,
		IMPORT_FEE * BigInt(tokens.length)
	);
}
