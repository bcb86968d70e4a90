/**
 * Reconciliation by group of chains, with open burns by age. The indexer maintains the totals with every block;
 * only the open burns are read individually.
 */
import { sql, type RawBuilder } from 'kysely';
import type { Index } from '../indexer/open.ts';
import { coinSumOf, satoshiIn, type CoinSum } from '../indexer/coinSum.ts';
import { readChainCcids } from './chainRoutes.ts';
import { transferRows, type TransferRow } from './transfers.ts';
import {
	isBetween,
	readFurtherRoutes,
	readReconciliation,
	type KnownChain,
	type ReconciliationLine
} from './reconciliation.ts';

/** Age classes that distinguish recent burns from abandoned ones, youngest first; seconds. */
export const AGES = [
	{ code: 'hour', below: 3_600 },
	{ code: 'day', below: 86_400 },
	{ code: 'week', below: 604_800 },
	{ code: 'older', below: Infinity }
] as const;

/**
 * Routes that are shown beside those between chains of the index: as many of those with the most coins burned as of those
 * with the most imported, which cannot be invented.
 */
export const FURTHER_ROUTES = 100;

/** Burns without an import, of one route and age class. Token burns are only counted. */
interface OpenOfAge {
	burns: number;
	/** Satoshi. */
	value: bigint;
	tokenBurns: number;
}

interface ConservationRoute extends ReconciliationLine {
	/** In the order of `AGES`. */
	byAge: OpenOfAge[];
}

/** Chains with the same CCid. `open` is negative when more was imported than the index saw burned. */
interface ConservationGroup {
	ccid: number;
	routes: ConservationRoute[];
	burned: bigint;
	imported: bigint;
	open: bigint;
}

interface Conservation {
	/** By CCid. */
	groups: ConservationGroup[];
	/** Number of routes that are in no group. */
	rest: number;
}

/**
 * Reads the reconciliation of all routes between chains of the index, and of a limited number of others.
 * @param now Unix seconds
 */
export async function readConservation(index: Index, now: number): Promise<Conservation> {
	const chains = await readChainCcids(index);
	const [known, further] = await Promise.all([
		readReconciliation(index, chains),
		readFurtherRoutes(index, chains, FURTHER_ROUTES)
	]);
	const open = await Promise.all([
		readOpen(index, now, burnsBetween(chains)),
		further.lines.length === 0 ? [] : readOpen(index, now, burnsOf(further.lines))
	]);
	const routes = new Map<string, ConservationRoute>();
	const keyOf = ({ source, target, ccid }: { source: string; target: string; ccid: number }) =>
		JSON.stringify([ccid, source, target]);
	const add = (line: ReconciliationLine): ConservationRoute => {
		const byAge = AGES.map(() => ({ burns: 0, value: 0n, tokenBurns: 0 }));
		const route = { ...line, byAge };
		routes.set(keyOf(line), route);
		return route;
	};
	for (const line of [...known, ...further.lines]) add(line);
	for (const { source, target, ccid, age, tokens, count, ...sum } of open.flat()) {
		const ends = { source, target, ccid: Number(ccid) };
		// A route on which only tokens were burned has no line in the reconciliation.
		const route =
			routes.get(keyOf(ends)) ??
			add({ ...ends, burned: 0n, burns: 0, imported: 0n, imports: 0, open: 0n });
		const cell = route.byAge[Number(age)]!;
		if (Number(tokens) === 1) cell.tokenBurns = Number(count);
		else Object.assign(cell, { burns: Number(count), value: satoshiIn(sum) });
	}
	const groups = new Map<number, ConservationGroup>();
	for (const route of [...routes.values()].sort((a, b) => a.ccid - b.ccid)) {
		let group = groups.get(route.ccid);
		if (!group) {
			group = { ccid: route.ccid, routes: [], burned: 0n, imported: 0n, open: 0n };
			groups.set(route.ccid, group);
		}
		group.routes.push(route);
		group.burned += route.burned;
		group.imported += route.imported;
		group.open += route.open;
	}
	return { groups: [...groups.values()], rest: further.rest };
}

interface OpenSum extends CoinSum {
	source: string;
	target: string;
	ccid: bigint;
	/** Index into `AGES`. */
	age: bigint | number;
	/** 1 for token burns, 0 for coins. */
	tokens: bigint | number;
	count: bigint;
}

/** Burns with their chains, as SQL. The order of the joins is fixed, so that each open burn is read once. */
const burnsBetween = (chains: readonly KnownChain[]) => sql`
	ix_burns b cross join ix_chains c
	where c.id = b.chain
		and ${isBetween(chains, { source: 'c.name', target: 'b.target', ccid: 'b.target_ccid' })}`;

/** The sign keeps SQLite from reading all burns of a chain by its key: a route's are found by the target. */
const burnsOf = (routes: readonly ReconciliationLine[]) => sql`
	(values ${sql.join(
		routes.map(
			({ source, target, ccid }) => sql`(${source}, ${target}, cast(${BigInt(ccid)} as bigint))`
		)
	)}) as r cross join ix_chains c cross join ix_burns b
	where c.name = r.column1
		and +b.chain = c.id and b.target = r.column2 and b.target_ccid = r.column3`;

async function readOpen(index: Index, now: number, burns: RawBuilder<unknown>): Promise<OpenSum[]> {
	const [hour, day, week] = [3_600, 86_400, 604_800].map((seconds) => BigInt(now - seconds));
	const { rows } = await sql<OpenSum>`
		select c.name as source, b.target, b.target_ccid as ccid,
			case when b.time > ${hour} then 0 when b.time > ${day} then 1 when b.time > ${week} then 2
				else 3 end as age,
			case when b.tokenid is null then 0 else 1 end as tokens,
			count(*) as count, ${coinSumOf('b.value')}
		from ${burns} and b.import_seq is null
		group by 1, 2, 3, 4, 5`.execute(index);
	return rows;
}

/** Reads burns without an import, oldest first. */
export const readOldestOpen = (index: Index, limit: number): Promise<TransferRow[]> =>
	transferRows(index)
		.where(sql<boolean>`b.import_seq is null`)
		.orderBy('b.time')
		.orderBy('b.chain')
		.orderBy('b.seq')
		.limit(limit)
		.execute();
