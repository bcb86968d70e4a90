/** What the meanings of decoded bytes are written with. */

/** Writes coins with the ticker of their chain, as prose has them. */
export type CoinsText = (amount: bigint) => string;

/** A sentence for each meaning of an area. */
export type Words<Params> = {
	readonly [Code in keyof Params]: (params: Params[Code], coins: CoinsText) => string;
};

/** `2026-11-22 11:23:09 UTC` */
export const moment = (seconds: number): string =>
	`${new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
