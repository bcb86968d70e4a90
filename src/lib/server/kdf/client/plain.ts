import { stringifyJson } from '#lib/rpc/json.ts';

/** JSON with ordinary numbers, for storage and display. Amounts are never calculated from it. */
export type Plain =
	null | boolean | number | string | readonly Plain[] | { readonly [name: string]: Plain };

/** Converts a value of the registry to plain JSON; undefined becomes null. */
export const plain = (value: unknown): Plain =>
	value === undefined ? null : (JSON.parse(stringifyJson(value)) as Plain);
