/** Amounts of coins and tokens in sentences. */
import { amountProse } from '#lib/text/amounts.ts';
import { plural } from '#lib/text/plural.ts';

/**
 * Formats satoshi, as decimal digits, without trailing zeros and with the chain's ticker: `12.5 ALPHA`.
 * @param chain undefined for facts that an earlier release stored without it
 */
export const coins = (satoshi: string, chain: string | undefined): string =>
	`${amountProse(BigInt(satoshi))} ${chain ?? 'coins'}`;

/** Formats base units of a token, as decimal digits, with their noun: `3 base units`. */
export const baseUnitsOf = (units: string): string => plural(BigInt(units), 'base unit');
