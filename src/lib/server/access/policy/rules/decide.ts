/**
 * Verdict of the policy rules about a transaction or a call. For each recipient separately, the first rule in
 * order that fits decides; the strictest of these verdicts holds. When a rule needs a fact that the bytes do
 * not tell, the verdict is a refusal, so that hiding something gains nothing. Pure.
 */
import { sumOf } from '#lib/chain/amount.ts';
import { HOUR_MS } from '#lib/text/units.ts';
import type { Facts, Movement, Part, PastUse, Recipient } from './facts.ts';
import type { ApproveEffect, Rule } from './rule.ts';

export type Verdict =
	/** No rule fits: the other checks (roles, limits) decide alone. */
	| { code: 'none'; rule: null }
	| { code: 'allow' | 'deny' | 'unknown'; rule: Rule }
	/** Approvals for all of these rules are needed. */
	| { code: 'approve'; rule: Rule; rules: readonly ApproveRule[] };

export type ApproveRule = Rule & { effect: ApproveEffect };

/** Three-valued logic: `unknown` when the bytes do not tell. */
type Answer = 'yes' | 'no' | 'unknown';

const answer = (holds: boolean): Answer => (holds ? 'yes' : 'no');

function recipientFits({ recipient: wanted }: Rule, recipient: Recipient): Answer {
	if (wanted.is === 'anyone') return 'yes';
	if (recipient.is === 'unknown') return 'unknown';
	if (recipient.is === 'nobody') return 'no';
	if (wanted.is === 'own') return answer(recipient.own);
	return answer(wanted.listed.some(({ address }) => address === recipient.address));
}

function doerFits(
	{ who }: Rule,
	{ account, role, token }: Pick<Facts, 'account' | 'role' | 'token'>
): boolean {
	switch (who.is) {
		case 'anyone':
			return true;
		case 'role':
			return role === who.role;
		case 'member':
			return account === who.account;
		case 'token':
			return token === who.token;
		case 'any-token':
			return token !== null;
	}
}

const assetFits = ({ asset }: Rule, chain: string, tokenid: string | null): boolean =>
	asset.is === 'any' ||
	(asset.chain === chain && (asset.is === 'coin' ? null : asset.tokenid) === tokenid);

/** Whether a rule fits what moves, regardless of recipient and amount. */
const movesFit = (
	rule: Rule,
	{ kind, chain, tokenid }: Pick<Movement, 'kind' | 'chain' | 'tokenid'>
): boolean => (rule.kind === null || rule.kind === kind) && assetFits(rule, chain, tokenid);

/** What is judged, and what was sent before it. */
interface Asked {
	facts: Facts;
	past: readonly PastUse[];
	/** Unix milliseconds. */
	now: number;
}

/** A sum of which parts may be unknown; it is at least `least`. */
interface Sum {
	least: bigint;
	exact: boolean;
}

/** What a transaction moves that the rule fits, summed over all recipients. */
function takenBy(rule: Rule, movements: readonly Movement[]): Sum {
	let least = 0n;
	let exact = true;
	for (const movement of movements) {
		if (!movesFit(rule, movement)) continue;
		for (const { recipient, amount } of movement.parts) {
			const fits = recipientFits(rule, recipient);
			if (fits === 'no') continue;
			if (amount === null || fits === 'unknown') exact = false;
			if (fits === 'yes') least += amount ?? 0n;
		}
		// The fee has no recipient: it counts only for a rule that fits any recipient.
		if (rule.recipient.is === 'anyone') least += movement.rest;
	}
	return { least, exact };
}

const above = ({ least, exact }: Sum, most: bigint): Answer =>
	least > most ? 'yes' : exact ? 'no' : 'unknown';

/**
 * What was sent within the window of a rule by all members whom it fits. The same transaction takes from a
 * wallet once, however many members it was counted for, for instance the one who signed its bytes and the one
 * who sent them.
 */
function usedBy(rule: Rule, hours: number, { facts, past, now }: Asked) {
	const since = now - hours * HOUR_MS;
	const countedFor = new Map<string, string>();
	const uses = past.filter((use) => {
		const { account, ref, wallet } = use;
		const fitting =
			use.at > since &&
			doerFits(rule, use) &&
			(rule.wallet === null || rule.wallet === wallet) &&
			movesFit(rule, use) &&
			recipientFits(rule, use.recipient) !== 'no';
		if (!fitting || (ref === facts.ref && wallet === facts.wallet)) return false;
		const key = `${wallet} ${ref}`;
		const first = countedFor.get(key) ?? account;
		countedFor.set(key, first);
		return first === account;
	});
	return {
		total: sumOf(uses.map(({ amount }) => amount ?? 0n)),
		exact: uses.every(({ amount }) => amount !== null),
		count: new Set(uses.map(({ ref }) => ref)).size
	};
}

/** Combines the answers of conditions of which one suffices. */
const either = (answers: readonly Answer[]): Answer =>
	answers.includes('yes') ? 'yes' : answers.includes('unknown') ? 'unknown' : 'no';

function amountFits(rule: Rule, asked: Asked): Answer {
	const { over, window } = rule;
	if (over === null && window === null) return 'yes';
	const taken = takenBy(rule, asked.facts.movements);
	const answers: Answer[] = over === null ? [] : [above(taken, over)];
	if (window !== null) {
		const used = usedBy(rule, window.hours, asked);
		if (window.total !== null) {
			const least = taken.least + used.total;
			const found = above({ least, exact: taken.exact && used.exact }, window.total);
			// An unmeasured send may already have reached the total: a restricting rule applies then, too.
			answers.push(!used.exact && rule.effect.is !== 'allow' ? 'yes' : found);
		}
		if (window.count !== null) answers.push(answer(used.count + 1 > window.count));
	}
	return either(answers);
}

/**
 * What is judged. The amounts of a rule are compared with the whole transaction, so that answer is the same
 * for each part.
 */
interface Judged {
	facts: Facts;
	amountFits: (rule: Rule) => Answer;
}

/** Whether a rule fits one part of a transaction. */
function fits(rule: Rule, { facts, amountFits }: Judged, movement: Movement, part: Part): Answer {
	if (!doerFits(rule, facts)) return 'no';
	if (rule.wallet !== null && rule.wallet !== facts.wallet) return 'no';
	if (!movesFit(rule, movement)) return 'no';
	const recipient = recipientFits(rule, part.recipient);
	if (recipient === 'no') return 'no';
	const answers = [recipient, amountFits(rule)];
	if (answers.includes('no')) return 'no';
	return answers.includes('unknown') ? 'unknown' : 'yes';
}

/** Verdict of the first rule that fits a part. */
function verdictOf(
	rules: readonly Rule[],
	judged: Judged,
	movement: Movement,
	part: Part
): Verdict {
	for (const rule of rules) {
		const found = fits(rule, judged, movement, part);
		if (found === 'no') continue;
		if (found === 'unknown') return { code: 'unknown', rule };
		if (rule.effect.is !== 'approve') return { code: rule.effect.is, rule };
		const asked = { ...rule, effect: rule.effect };
		return { code: 'approve', rule, rules: [asked] };
	}
	return { code: 'none', rule: null };
}

const STRICTNESS: Readonly<Record<Verdict['code'], number>> = {
	deny: 4,
	unknown: 3,
	approve: 2,
	none: 1,
	allow: 0
};

/** The stricter of two verdicts; of two that need approval, both combined. */
function stricter(a: Verdict, b: Verdict): Verdict {
	if (a.code === 'approve' && b.code === 'approve') {
		const more = b.rules.filter(({ id }) => a.rules.every((rule) => rule.id !== id));
		return { ...a, rules: [...a.rules, ...more] };
	}
	return STRICTNESS[b.code] > STRICTNESS[a.code] ? b : a;
}

/**
 * Judges a transaction or a call by the rules.
 * @param rules in their order
 * @param past what was sent before, at least as far back as the longest window; without what is judged
 * @param now Unix milliseconds
 */
export function decide(
	rules: readonly Rule[],
	facts: Facts,
	past: readonly PastUse[],
	now: number
): Verdict {
	const known = new Map<Rule, Answer>();
	const judged: Judged = {
		facts,
		amountFits(rule) {
			const found = known.get(rule) ?? amountFits(rule, { facts, past, now });
			known.set(rule, found);
			return found;
		}
	};
	const verdicts = facts.movements.flatMap((movement) =>
		movement.parts.map((part) => verdictOf(rules, judged, movement, part))
	);
	return verdicts.reduce(stricter, verdicts[0] ?? { code: 'none', rule: null });
}

/**
 * Whether some rule can hold bytes back. Bytes that were not sent must then not be shown to their sender, who
 * could send them elsewhere.
 */
export const holdsBack = (rules: readonly Rule[]): boolean =>
	rules.some(({ effect }) => effect.is !== 'allow');
