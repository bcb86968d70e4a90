import { formatCoins } from '#lib/chain/amount.ts';
import { JsonNumber } from '#lib/rpc/json.ts';

/** Formats coins as the daemon does: a number with exactly 8 decimals. */
export const coins = (satoshi: bigint): JsonNumber => new JsonNumber(formatCoins(satoshi));

/** Formats an integer. */
export const int = (value: number | bigint): JsonNumber => new JsonNumber(String(value));

/** Formats a number with a fraction, in JavaScript's shortest notation. */
export const real = (value: number): JsonNumber => new JsonNumber(String(value));
