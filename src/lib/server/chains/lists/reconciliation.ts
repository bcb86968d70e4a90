import { sql } from 'kysely';
import type { Index } from '../indexer/open.ts';
import { flowOf, type StoredFlow } from './flows.ts';

/** Coins burned on one chain for another and imported there. Satoshi, including the import fee. */
export interface ReconciliationLine {
	source: string;
	target: string;
	ccid: number;
	burned: bigint;
	burns: number;
	imported: bigint;
	imports: number;
	/** Burned and not imported, as far as both chains are indexed. */
	open: bigint;
}

/** A chain of the index; its CCid is null when unknown. */
export interface KnownChain {
	name: string;
	ccid: number | null;
}

/**
 * Returns the SQL of whether a route leads from one of these chains to another, by a CCid that one of them has. Anyone
 * can burn for an invented chain or CCid: these routes are as few as the chains, all others have no limit.
 */
export function isBetween(
	chains: readonly KnownChain[],
	columns: { source: string; target: string; ccid: string }
) {
	const names = sql.join(chains.map(({ name }) => name));
	const ccids = new Set(chains.flatMap(({ ccid }) => (ccid === null ? [] : [BigInt(ccid)])));
	// PostgreSQL accepts no empty list.
	if (ccids.size === 0) return sql<boolean>`1 = 0`;
	return sql<boolean>`(${sql.ref(columns.source)} in (${names})
		and ${sql.ref(columns.target)} in (${names})
		and ${sql.ref(columns.ccid)} in (${sql.join([...ccids])}))`;
}

const OF_FLOWS = { source: 'source', target: 'target', ccid: 'ccid' };

function lineOf(row: StoredFlow): ReconciliationLine {
	const { source, target, ccid, burned, burns, imported, imports } = flowOf(row);
	return {
		source,
		target,
		ccid: Number(ccid),
		burned,
		burns: Number(burns),
		imported,
		imports: Number(imports),
		open: burned - imported
	};
}

/** Reads the reconciliation of the routes between these chains, by CCid and name. It shows excess imports. */
export async function readReconciliation(
	index: Index,
	chains: readonly KnownChain[]
): Promise<ReconciliationLine[]> {
	const rows = await index
		.selectFrom('ix_flows')
		.selectAll()
		.where(isBetween(chains, OF_FLOWS))
		.orderBy('source')
		.orderBy('target')
		.orderBy('ccid')
		.execute();
	// The sort is stable, so routes with the same CCid keep their order.
	return rows.map(lineOf).sort((a, b) => a.ccid - b.ccid);
}

/**
 * Routes that are not between these chains: at most `limit` with the most coins burned and `limit` with the most
 * imported, and the number of the rest.
 */
export async function readFurtherRoutes(
	index: Index,
	chains: readonly KnownChain[],
	limit: number
): Promise<{ lines: ReconciliationLine[]; rest: number }> {
	const further = index
		.selectFrom('ix_flows')
		.where(sql<boolean>`not ${isBetween(chains, OF_FLOWS)}`);
	const most = (what: 'burned' | 'imported') =>
		further
			.selectAll()
			.orderBy(`${what}_high`, 'desc')
			.orderBy(what, 'desc')
			.orderBy('source', 'desc')
			.orderBy('target', 'desc')
			.orderBy('ccid', 'desc')
			.limit(limit);
	const [burned, imported, { all }] = await Promise.all([
		most('burned').execute(),
		most('imported').where('imports', '>', 0n).execute(),
		further.select(({ fn }) => fn.countAll<bigint>().as('all')).executeTakeFirstOrThrow()
	]);
	const isListed = (row: StoredFlow): boolean =>
		burned.some(
			({ source, target, ccid }) =>
				source === row.source && target === row.target && ccid === row.ccid
		);
	const lines = [...burned, ...imported.filter((row) => !isListed(row))].map(lineOf);
	return { lines, rest: Math.max(0, Number(all) - lines.length) };
}
