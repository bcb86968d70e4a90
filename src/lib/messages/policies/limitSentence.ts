/** A spending limit as the last rule that it is, in a sentence. */
import { LIMIT_KIND_WORDS, type LimitKind } from '../limitKinds.ts';
import { SPENDING_LIMITS } from '../pages/spendingLimits.ts';
import { trimmed } from './sentence.ts';

interface SaidLimit {
	/** Null: each member who has none of their own. */
	member: string | null;
	/** Some members have one of their own for this. */
	others: boolean;
	/** The chain, or words for several. */
	where: string;
	kind: LimitKind;
	/** Coins with 8 decimals. */
	most: { count: string | null; amount: string | null };
}

export function limitSentence({ member, others, where, kind, most }: SaidLimit): string {
	const who = member ?? (others ? SPENDING_LIMITS.eachOther : SPENDING_LIMITS.each);
	const bounds = [
		...(most.count === null ? [] : [most.count]),
		...(most.amount === null ? [] : [SPENDING_LIMITS.coins(trimmed(most.amount))])
	];
	return SPENDING_LIMITS.sentence(who, LIMIT_KIND_WORDS[kind].many, where, bounds.join(' and '));
}
