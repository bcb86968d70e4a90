/** Renders moved amounts, for lists, events and notices. */
import { withoutZeros } from '#lib/text/amounts.ts';
import { formatCoins, sumOf } from '#lib/chain/amount.ts';
import { kindTitle, type RuleKind } from './kinds.ts';

interface WordedMovement {
	kind: RuleKind;
	chain: string;
	tokenid: string | null;
	parts: readonly { amount: bigint | null }[];
	rest: bigint;
}

function words({ kind, chain, tokenid, parts, rest }: WordedMovement): string {
	const total = sumOf([rest, ...parts.map(({ amount }) => amount)]);
	if (total === null) return kindTitle(kind);
	return tokenid === null
		? `${withoutZeros(formatCoins(total))} ${chain}`
		: `${total} base units on ${chain}`;
}

/** Formats movements as `10.0001 ALPHA`, the fee included. */
export const movementWords = (movements: readonly WordedMovement[]): string =>
	[...new Set(movements.map(words))].join(', ');
