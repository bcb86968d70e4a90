/** Data for the charts of a chain: each comes from one query over a limited number of rows of the index. */
import { sql } from 'kysely';
import type { Index } from '../indexer/open.ts';
import { chainProgress } from '../lists/chains.ts';
import { blockIntervals } from './blockIntervals.ts';
import { TipMemory } from './tipMemory.ts';

const INTERVALS = 60;
const NOTARIZATIONS = 40;
/** Two weeks of one block per minute; a faster chain shows fewer days. */
const BLOCKS = 20_160;
const DAYS = 14;
const DAY = 86_400;

interface ChainCharts {
	/** Height of the newest block included. */
	tip: number;
	/** Seconds between blocks, oldest first. */
	intervals: number[];
	/** Whole days in UTC, oldest first; `day` is the Unix milliseconds of its start. */
	days: { day: number; transactions: number }[];
	/** Seconds from each notarized block to its notarization, oldest first. */
	lags: { height: number; seconds: number }[];
}

const memory = new TipMemory<ChainCharts>();

async function transactionsPerDay(index: Index, chain: bigint): Promise<ChainCharts['days']> {
	const { rows } = await sql<{ day: bigint; txs: bigint; blocks: bigint }>`
		select time / ${BigInt(DAY)} as day, cast(sum(txs) as bigint) as txs, count(*) as blocks
		from (select time, txs from ix_blocks where chain = ${chain} order by height desc limit ${BLOCKS}) as newest
		group by 1 order by 1`.execute(index);
	const blocks = rows.reduce((sum, row) => sum + Number(row.blocks), 0);
	// The oldest day was counted only in part.
	const whole = blocks < BLOCKS ? rows : rows.slice(1);
	const counts = new Map(whole.map(({ day, txs }) => [Number(day), Number(txs)]));
	const first = Math.min(...counts.keys());
	const last = Math.max(...counts.keys());
	// Days without a block are included: a genesis block can be years older than the next one.
	return Array.from({ length: DAYS }, (_, at) => last - DAYS + 1 + at)
		.filter((day) => day >= first)
		.map((day) => ({ day: day * DAY * 1000, transactions: counts.get(day) ?? 0 }));
}

async function notarizationLags(
	index: Index,
	chain: bigint,
	name: string
): Promise<ChainCharts['lags']> {
	const rows = await index
		.selectFrom('ix_notarizations as n')
		.innerJoin('ix_blocks as b', (join) =>
			join.onRef('b.chain', '=', 'n.chain').onRef('b.height', '=', 'n.height')
		)
		.select(['n.height', 'n.time', 'b.time as mined'])
		.where('n.chain', '=', chain)
		.where('n.symbol', '=', name)
		.orderBy('n.seq', 'desc')
		.limit(NOTARIZATIONS)
		.execute();
	return rows.toReversed().map(({ height, time, mined }) => ({
		height: Number(height),
		// Miners' clocks differ.
		seconds: Math.max(0, Number(time - mined))
	}));
}

/** Returns the data for a chain's charts; null while the index does not know the chain. */
export async function chainCharts(index: Index, name: string): Promise<ChainCharts | null> {
	const chain = await chainProgress(index, name);
	if (chain === null) return null;
	return memory.get(index, chain, name, async () => {
		const [intervals, days, lags] = await Promise.all([
			blockIntervals(index, name, INTERVALS),
			transactionsPerDay(index, chain.id),
			notarizationLags(index, chain.id, name)
		]);
		return { tip: chain.height, intervals, days, lags };
	});
}
