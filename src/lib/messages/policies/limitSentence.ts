/** Renders a spending limit as a sentence, in the form of a final policy rule. */
import { LIMIT_KIND_WORDS, type LimitKind } from '../limitKinds.ts';
import { SPENDING_LIMITS } from '../pages/spendingLimits.ts';

interface SaidLimit {
	/** Null for every member without an own limit. */
	member: string | null;
	/** Whether some members have their own limit. */
	others: boolean;
	/** Null for several chains. */
	chain: string | null;
	/** The chain, or a phrase for several. */
	where: string;
	kind: LimitKind;
	/** Amounts are coins with 8 decimals. */
	most: { count: string | null; amount: string | null };
}

export function limitSentence({ member, others, chain, where, kind, most }: SaidLimit): string {
	const who = member ?? (others ? SPENDING_LIMITS.eachOther : SPENDING_LIMITS.each);
	const bounds = [
		...(most.count === null ? [] : [most.count]),
		...(most.amount === null ? [] : [SPENDING_LIMITS.coins(most.amount, chain)])
	];
	return SPENDING_LIMITS.sentence(who, LIMIT_KIND_WORDS[kind].many, where, bounds.join(' and '));
}
