/** Coins burned on each route by day, from a limited number of the newest burns of each chain. */
import { sql } from 'kysely';
import type { Index } from '../indexer/open.ts';
import { coinSumOf, satoshiIn, type CoinSum } from '../indexer/coinSum.ts';

const DAY = 86_400;
const DAYS = 30;
/** Newest burns of one chain that are counted: a busier chain shows fewer days. */
const BURNS = 5_000;

/** Days are the Unix milliseconds of their start in UTC, oldest first; amounts are satoshi. */
interface RouteFlow {
	source: string;
	target: string;
	days: { day: number; burned: bigint; burns: number }[];
}

interface Burned extends CoinSum {
	target: string;
	ccid: bigint;
	day: bigint;
	burns: bigint;
}

async function burnedOn(
	index: Index,
	source: string,
	since: number
): Promise<{ days: Burned[]; isPart: boolean }> {
	const { rows } = await sql<Burned>`
		select target, target_ccid as ccid, time / ${BigInt(DAY)} as day,
			${coinSumOf('value')}, count(*) as burns
		from (
			select target, target_ccid, time, value from ix_burns
			where chain = (select id from ix_chains where name = ${source})
				and tokenid is null and time >= ${BigInt(since * DAY)}
			order by chain desc, time desc, seq desc limit ${BURNS}
		) as newest
		group by 1, 2, 3`.execute(index);
	return { days: rows, isPart: rows.reduce((sum, row) => sum + Number(row.burns), 0) >= BURNS };
}

/**
 * Returns the coins burned on each route on each of the last days; routes without a burn are omitted.
 * @param now Unix milliseconds
 */
export async function readRouteFlows(
	index: Index,
	routes: readonly { source: string; target: string; ccid: number }[],
	now: number
): Promise<RouteFlow[]> {
	const today = Math.floor(now / 1000 / DAY);
	const since = today - DAYS + 1;
	const sources = [...new Set(routes.map(({ source }) => source))];
	const found = new Map(
		await Promise.all(
			sources.map(async (source) => [source, await burnedOn(index, source, since)] as const)
		)
	);
	return routes.flatMap(({ source, target, ccid }) => {
		const { days, isPart } = found.get(source)!;
		const own = days.filter((day) => day.target === target && Number(day.ccid) === ccid);
		if (own.length === 0) return [];
		// The oldest day of a busy chain was counted only in part.
		const first = isPart ? Math.min(...days.map(({ day }) => Number(day))) + 1 : since;
		const byDay = new Map(own.map((day) => [Number(day.day), day]));
		return [
			{
				source,
				target,
				days: Array.from({ length: today - first + 1 }, (_, at) => {
					const day = byDay.get(first + at);
					return {
						day: (first + at) * DAY * 1000,
						burned: day === undefined ? 0n : satoshiIn(day),
						burns: Number(day?.burns ?? 0n)
					};
				})
			}
		];
	});
}
