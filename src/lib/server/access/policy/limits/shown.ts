/** Limits and their use, as pages show them. */
import { formatCoins } from '#lib/chain/amount.ts';
import { LIMIT_KIND_WORDS } from '#lib/messages/limitKinds.ts';
import { limitSentence } from '#lib/messages/policies/limitSentence.ts';
import { SPENDING_LIMITS } from '#lib/messages/pages/spendingLimits.ts';
import { COIN_KINDS } from '../measuring/kinds.ts';
import { nearest, type Limit, type Most, type Used } from './limits.ts';
import { ANY } from './tables.ts';

/** Numbers as text: JSON has no bigint. */
interface ShownMost {
	count: string | null;
	/** Coins with 8 decimals. */
	amount: string | null;
}

const shownMost = ({ count, amount }: Most): ShownMost => ({
	count: count === null ? null : count.toString(),
	amount: amount === null ? null : formatCoins(amount)
});

/**
 * Returns a limit without its account.
 * @param all the limits shown together, which decide whether "every other chain" applies
 */
export function shownLimit({ account, chain, kind, most }: Limit, all: readonly Limit[]) {
	const others = all.some(
		(one) => one.kind === kind && one.account === account && one.chain !== ANY
	);
	return {
		chain,
		/** Null where the limit applies to several chains. */
		ticker: chain === ANY ? null : chain,
		where:
			chain !== ANY ? chain : others ? SPENDING_LIMITS.everyOtherChain : SPENDING_LIMITS.everyChain,
		kind,
		words: LIMIT_KIND_WORDS[kind].many,
		most: shownMost(most)
	};
}

/** Returns all limits as sentences: those of single members first, as these take precedence. */
export function limitSentences(
	all: readonly Limit[],
	nameOf: (account: string) => string
): string[] {
	const sentences = all.map((limit) => {
		const { account, kind } = limit;
		const member = account === ANY ? null : nameOf(account);
		const others = all.some((one) => one.kind === kind && one.account !== ANY);
		const { ticker, where, most } = shownLimit(limit, all);
		return { member, text: limitSentence({ member, others, chain: ticker, where, kind, most }) };
	});
	return sentences
		.toSorted(
			(a, b) =>
				Number(a.member === null) - Number(b.member === null) || a.text.localeCompare(b.text)
		)
		.map(({ text }) => text);
}

/** Returns what was used, with the limit that applies to it. */
export function shownUse(used: Used, limits: readonly Limit[]) {
	const most = nearest(limits, used)?.most ?? { count: null, amount: null };
	return {
		key: `${used.account} ${used.chain} ${used.kind}`,
		chain: used.chain,
		words: LIMIT_KIND_WORDS[used.kind].many,
		count: used.count.toString(),
		amount: COIN_KINDS.includes(used.kind) ? formatCoins(used.amount) : null,
		most: shownMost(most)
	};
}
