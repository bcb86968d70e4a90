/** Coins of a chain can go round until 64 bits do not hold what they add up to: whole ones are added up apart. */
import { sql } from 'kysely';
import { COIN } from '#lib/chain/amount.ts';

/** A sum of satoshi as a query gives it. */
export interface CoinSum {
	whole: bigint;
	rest: bigint;
}

/** The two columns of the sum of a column that is never negative. */
export const coinSumOf = (column: string) => sql`
	cast(sum(${sql.ref(column)} / ${COIN}) as bigint) as whole,
	cast(sum(${sql.ref(column)} % ${COIN}) as bigint) as rest`;

export const satoshiIn = ({ whole, rest }: CoinSum): bigint => whole * COIN + rest;
