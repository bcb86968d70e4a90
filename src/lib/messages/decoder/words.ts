/** Building blocks of the meanings of decoded bytes. */
import { utc } from '#lib/text/utc.ts';

/** Formats an amount with the chain's ticker, for prose. */
export type CoinsText = (amount: bigint) => string;

/** One sentence for each meaning of an area. */
export type Words<Params> = {
	readonly [Code in keyof Params]: (params: Params[Code], coins: CoinsText) => string;
};

/** Formats Unix seconds as `2026-11-22 11:23:09 UTC`. */
export const moment = (seconds: number): string => utc(seconds * 1000);
