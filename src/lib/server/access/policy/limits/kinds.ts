/** What daily limits count. */
export const LIMIT_KINDS = [
	'token-create',
	'token-transfer',
	'token-burn',
	'migration',
	'self-import',
	'coin-send',
	'sign'
] as const;

export type LimitKind = (typeof LIMIT_KINDS)[number];

export function isLimitKind(text: unknown): text is LimitKind {
	return LIMIT_KINDS.some((kind) => kind === text);
}

/** Words for one of a kind and for many. */
export const KIND_WORDS: Readonly<Record<LimitKind, { one: string; many: string }>> = {
	'token-create': { one: 'token creation', many: 'token creations' },
	'token-transfer': { one: 'token transfer', many: 'token transfers' },
	'token-burn': { one: 'token burn', many: 'token burns' },
	migration: { one: 'migration', many: 'migrations' },
	'self-import': { one: 'self-import', many: 'self-imports' },
	'coin-send': { one: 'coin send', many: 'coin sends' },
	sign: { one: 'signature', many: 'signatures' }
};

/**
 * Kinds that take coins, so that an amount can be limited: those that become a token's units, those that
 * are burned for another chain, those that a self-import creates, and those that are paid. Units of different tokens cannot be added up.
 */
export const COIN_KINDS: readonly LimitKind[] = [
	'token-create',
	'migration',
	'self-import',
	'coin-send'
];

/** What one transaction or call takes. */
export interface Usage {
	kind: LimitKind;
	/** Satoshi; null where it cannot be told. */
	amount: bigint | null;
}
