import { formatCoins } from '#lib/chain/amount.ts';
import { JsonNumber } from '#lib/rpc/json.ts';

/** A coin amount as the daemon prints it: a number with exactly 8 decimals. */
export const coins = (satoshi: bigint): JsonNumber => new JsonNumber(formatCoins(satoshi));

/** A whole number in JSON. */
export const int = (value: number | bigint): JsonNumber => new JsonNumber(String(value));

/** A number with a fraction, in the shortest spelling that JavaScript has. */
export const real = (value: number): JsonNumber => new JsonNumber(String(value));
