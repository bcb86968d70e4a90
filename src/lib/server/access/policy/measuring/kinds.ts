import type { LimitKind } from '#lib/messages/limitKinds.ts';

/** Kinds of sends and calls that spending limits count. */
export const LIMIT_KINDS = [
	'token-create',
	'token-transfer',
	'token-burn',
	'migration',
	'self-import',
	'notary-approval',
	'coin-send',
	'sign'
] as const satisfies readonly LimitKind[];

export type { LimitKind };

export function isLimitKind(text: unknown): text is LimitKind {
	return LIMIT_KINDS.some((kind) => kind === text);
}

/**
 * Kinds that take coins, so that an amount can be limited: coins that become units of a token, that are
 * burned for another chain, that a self-import creates, or that are paid. Units of different tokens cannot be
 * added up.
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
	/** Satoshi; null where it cannot be determined. */
	amount: bigint | null;
}
