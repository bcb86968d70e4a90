/** Renders moved amounts, for lists, events and notices. */
import { withoutZeros } from '#lib/text/amounts.ts';
import { formatCoins, sumOf } from '#lib/chain/amount.ts';
import { kindTitle, type RuleKind } from './kinds.ts';

/** What is moved of one asset, the fee included, in JSON. */
export interface Moved {
	kind: RuleKind;
	chain: string;
	/** Null for coins. */
	tokenid: string | null;
	/** Satoshi or base units, decimal; null where it cannot be determined. */
	total: string | null;
}

interface WordedMovement extends Omit<Moved, 'total'> {
	parts: readonly { amount: bigint | null }[];
	rest: bigint;
}

function words({ kind, chain, tokenid, total }: Moved): string {
	if (total === null) return kindTitle(kind);
	return tokenid === null
		? `${withoutZeros(formatCoins(BigInt(total)))} ${chain}`
		: `${total} base units on ${chain}`;
}

/** Formats totals as `10.0001 ALPHA`. */
export const movedWords = (moved: readonly Moved[]): string =>
	[...new Set(moved.map(words))].join(', ');

/** Returns what movements move in total. */
export const totalsOf = (movements: readonly WordedMovement[]): Moved[] =>
	movements.map(({ kind, chain, tokenid, parts, rest }) => ({
		kind,
		chain,
		tokenid,
		total: sumOf([rest, ...parts.map(({ amount }) => amount)])?.toString() ?? null
	}));

/** Formats movements as `10.0001 ALPHA`, the fee included. */
export const movementWords = (movements: readonly WordedMovement[]): string =>
	movedWords(totalsOf(movements));
