import type { RequestKind } from './shown.ts';

/** Kinds that move coins of the wallet and no token. */
const OWN_COINS: ReadonlySet<RequestKind> = new Set(['coin-send', 'merge', 'split', 'claim']);

/** Whether a transaction moves coins of the wallet and no token. */
export const isOfOwnCoins = (kind: RequestKind): boolean => OWN_COINS.has(kind);
