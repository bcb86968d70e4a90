import { stringifyJson } from '#lib/rpc/json.ts';

/** JSON with ordinary numbers, for storage and display. Amounts are never calculated from it. */
export type Plain = null | boolean | number | string | readonly Plain[] | PlainObject;
export type PlainObject = { readonly [name: string]: Plain };

/** Converts a value of the registry to plain JSON; undefined becomes null. */
export const plain = (value: unknown): Plain =>
	value === undefined ? null : (JSON.parse(stringifyJson(value)) as Plain);

/** True for an object: not null or an array. */
export const isPlainObject = (value: Plain | undefined): value is PlainObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the members of an object; of any other value none. */
export const members = (value: Plain | undefined): PlainObject =>
	isPlainObject(value) ? value : {};
