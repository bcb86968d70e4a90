/** Finds blocks, transactions and tokens by a hash or its beginning, on all chains in one query. */
import { sql, type RawBuilder } from 'kysely';
import type { Index } from '../indexer/open.ts';
import { heightOfSeq } from '../indexer/tables.ts';
import { hashRange } from './searchText.ts';

/** Something that a hash identifies. */
export interface HashHit {
	chain: string;
	what: 'block' | 'transaction' | 'token';
	hash: string;
	/** Height of the block, or of the block that contains it. */
	height: number;
	/** Name of a token, or kind of a transaction. */
	detail: string | null;
}

interface Row {
	chain: string;
	what: HashHit['what'];
	hash: Uint8Array;
	/** Height of a block, otherwise a `seq`. */
	place: bigint;
	detail: string | null;
}

/**
 * Returns the SQL condition that a column is one of these ids of chains. The unary plus keeps the planner
 * from using an index on it: one chain may have most of the table's rows.
 * @param chains not empty
 */
export const isOneOf = (column: string, chains: readonly bigint[]): RawBuilder<boolean> =>
	sql`+${sql.ref(column)} in (${sql.join(chains.map((chain) => sql.lit(chain)))})`;

/**
 * Reads blocks, tokens and transactions by a condition on their hash.
 * @param chains ids of the chains to search
 * @param limit number of hits of each kind
 */
async function read(
	index: Index,
	chains: readonly bigint[],
	condition: (column: string) => RawBuilder<unknown>,
	limit: number
): Promise<HashHit[]> {
	const part = (what: string, table: string, hash: string, place: string, detail: string) => sql`
		select * from (
			select c.name as chain, ${sql.lit(what)} as what, t.${sql.ref(hash)} as hash,
				t.${sql.ref(place)} as place, ${detail === '' ? sql`cast(null as text)` : sql.ref(`t.${detail}`)} as detail
			from ${sql.table(table)} t join ix_chains c on c.id = t.chain
			where ${condition(`t.${hash}`)} and ${isOneOf('t.chain', chains)} limit ${sql.lit(limit)}
		) as ${sql.ref(`of_${table}`)}`;
	const { rows } = await sql<Row>`
		${part('block', 'ix_blocks', 'hash', 'height', '')} union all
		${part('token', 'ix_tokens', 'tokenid', 'seq', 'name')} union all
		${part('transaction', 'ix_txs', 'txid', 'seq', 'kind')}`.execute(index);
	return rows.map(({ chain, what, hash, place, detail }) => ({
		chain,
		what,
		hash: Buffer.from(hash).toString('hex'),
		height: what === 'block' ? Number(place) : heightOfSeq(place),
		detail
	}));
}

/** Everything with this hash. */
export const findHash = (
	index: Index,
	chains: readonly bigint[],
	hash: string,
	limit: number
): Promise<HashHit[]> =>
	read(index, chains, (column) => sql`${sql.ref(column)} = ${Buffer.from(hash, 'hex')}`, limit);

/** Things whose hash begins with these hex digits. */
export function findPrefix(
	index: Index,
	chains: readonly bigint[],
	prefix: string,
	limit: number
): Promise<HashHit[]> {
	const { from, to } = hashRange(prefix);
	return read(
		index,
		chains,
		(column) =>
			to === null
				? sql`${sql.ref(column)} >= ${from}`
				: sql`${sql.ref(column)} >= ${from} and ${sql.ref(column)} < ${to}`,
		limit
	);
}
