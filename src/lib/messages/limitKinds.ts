/** Names of what spending limits count, in singular and plural, and texts of limits. */
import { formatCoins } from '#lib/chain/amount.ts';

export const LIMIT_KIND_WORDS = {
	'token-create': { one: 'token creation', many: 'token creations' },
	'token-transfer': { one: 'token transfer', many: 'token transfers' },
	'token-burn': { one: 'token burn', many: 'token burns' },
	migration: { one: 'migration', many: 'migrations' },
	'self-import': { one: 'self-import', many: 'self-imports' },
	'notary-approval': { one: 'notary approval', many: 'notary approvals' },
	'coin-send': { one: 'payment or other transaction', many: 'payments and other transactions' },
	sign: { one: 'signature', many: 'signatures' }
} as const;

export type LimitKind = keyof typeof LIMIT_KIND_WORDS;

export const isLimitKind = (text: string): text is LimitKind =>
	Object.hasOwn(LIMIT_KIND_WORDS, text);

/** Returns the name of a kind for a form: `Token creations`. */
export const titledKind = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** A spending limit; null for none. Amounts are coins as text. */
export type Most = { count: string | null; amount: string | null } | null;

/**
 * Renders a limit; null when there is none.
 * @param coins formats its amount
 */
export const mostWords = (most: Most, coins: (amount: string) => string): string | null =>
	most === null
		? null
		: [
				...(most.count === null ? [] : [`${most.count} in 24 hours`]),
				...(most.amount === null ? [] : [`${coins(most.amount)} in 24 hours`])
			].join(', ') || null;

/** A limit in JSON; null for none. Decimal numbers, the amount in satoshi. */
export interface RecordedMost {
	count: string | null;
	amount: string | null;
}

/** Renders a limit for the audit log. */
export const recordedMostWords = ({ count, amount }: RecordedMost): string =>
	mostWords({ count, amount }, (satoshi) => `${formatCoins(BigInt(satoshi))} coins`) ?? 'none';
