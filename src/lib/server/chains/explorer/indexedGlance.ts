/** Summary of a chain from the index, shown while its daemon is offline and was not read since the start. */
import { bytesToHex } from '#lib/chain/bytes.ts';
import type { Index } from '../indexer/open.ts';
import { chainProgress } from '../lists/chains.ts';
import { notarizedHeight } from '../lists/notarized.ts';
import type { BlockList } from './blocks.ts';
import type { ChainGlance } from './overview.ts';
import type { Known } from './piece.ts';

async function newestOf(index: Index, chain: bigint, size: number) {
	const rows = await index
		.selectFrom('ix_blocks')
		.select(['height', 'hash', 'time', 'size', 'txs'])
		.where('chain', '=', chain)
		.orderBy('height', 'desc')
		.limit(size)
		.execute();
	return rows.map((row) => ({
		height: Number(row.height),
		hash: bytesToHex(row.hash),
		time: Number(row.time) * 1000,
		transactions: Number(row.txs),
		size: Number(row.size)
	}));
}

/** Returns the glance of a chain; null when no block of it is indexed. */
export async function indexedGlance(
	index: Index,
	chain: string
): Promise<Known<ChainGlance> | null> {
	const progress = await chainProgress(index, chain);
	if (progress === null || progress.hash === null) return null;
	const [tip] = await newestOf(index, progress.id, 1);
	if (tip === undefined) return null;
	const { ccid } = await index
		.selectFrom('ix_chains')
		.select('ccid')
		.where('id', '=', progress.id)
		.executeTakeFirstOrThrow();
	const notarized = await notarizedHeight(index, progress);
	return {
		at: progress.lookedAt,
		data: {
			height: tip.height,
			longest: null,
			tipAt: tip.time,
			peers: null,
			mempool: null,
			// An index that holds none does not prove that there is none.
			notarized: notarized > 0 ? notarized : null,
			notarizationTxid: null,
			ccid: ccid === null ? null : Number(ccid),
			pubkey: null,
			balance: null,
			unknown: ccid === null ? ['ccid', 'pubkey', 'balance'] : ['pubkey', 'balance'],
			version: null,
			synced: true,
			wrong: [],
			fromIndex: true
		}
	};
}

/** Returns the newest indexed blocks; null when there are none. */
export async function indexedNewest(
	index: Index,
	chain: string,
	size: number
): Promise<Known<BlockList> | null> {
	const progress = await chainProgress(index, chain);
	if (progress === null || progress.hash === null) return null;
	const lines = await newestOf(index, progress.id, size);
	const [tip] = lines;
	if (tip === undefined) return null;
	const notarized = await notarizedHeight(index, progress);
	return { at: progress.lookedAt, data: { lines, tip: tip.height, notarized } };
}
