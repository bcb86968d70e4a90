/** Amounts of coins in sentences. */
import { amountProse } from '#lib/text/amounts.ts';

/**
 * Formats satoshi, as decimal digits, without trailing zeros and with the chain's ticker: `12.5 ALPHA`.
 * @param chain undefined for facts that an earlier release stored without it
 */
export const coins = (satoshi: string, chain: string | undefined): string =>
	`${amountProse(BigInt(satoshi))} ${chain ?? 'coins'}`;
