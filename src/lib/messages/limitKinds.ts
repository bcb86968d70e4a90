/** Names of what spending limits count, in singular and plural. */
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

/** Renders a limit for pages and the log; null when there is none. */
export const mostWords = (most: Most): string | null =>
	most === null
		? null
		: [
				...(most.count === null ? [] : [`${most.count} in 24 hours`]),
				...(most.amount === null ? [] : [`${most.amount} coins in 24 hours`])
			].join(', ') || null;
