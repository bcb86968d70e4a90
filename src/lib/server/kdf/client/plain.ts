import { stringifyJson } from '#lib/rpc/json.ts';

/** JSON with ordinary numbers, as it is stored and shown. Nothing in it is money to reckon with. */
export type Plain =
	null | boolean | number | string | readonly Plain[] | { readonly [name: string]: Plain };

/** A value of the registry as plain JSON; undefined becomes null. */
export const plain = (value: unknown): Plain =>
	value === undefined ? null : (JSON.parse(stringifyJson(value)) as Plain);
