/**
 * Sums of amounts. The same coins can be sent repeatedly, so a sum can exceed 64 bits: whole coins and the
 * rest are summed separately.
 */
import { sql } from 'kysely';
import { COIN } from '#lib/chain/amount.ts';

/** A sum as a query returns it: whole coins, and satoshi below one coin each, summed. */
export interface CoinSum {
	whole: bigint;
	rest: bigint;
}

/** Returns the SQL of both columns of a {@link CoinSum}; `column` must not be negative. */
export const coinSumOf = (column: string) => sql`
	cast(sum(${sql.ref(column)} / ${COIN}) as bigint) as whole,
	cast(sum(${sql.ref(column)} % ${COIN}) as bigint) as rest`;

/** Returns a sum in satoshi. */
export const satoshiIn = ({ whole, rest }: CoinSum): bigint => whole * COIN + rest;
