/** The schema of a parameter, for checking forms and for the OpenRPC description. Its messages are codes. */
import { z } from 'zod';
import type { DaemonMethod } from './daemon/index.ts';
import { paramFacts } from './daemon/parameters.ts';
import type { Param } from './types.ts';

const FORMATS = {
	hex: /^(?:[0-9a-fA-F]{2})+$/,
	hash: /^[0-9a-fA-F]{64}$/,
	pubkey: /^0[23][0-9a-fA-F]{64}$/,
	address: /^[123456789A-HJ-NP-Za-km-z]{20,64}$/
} as const;

const WHOLE = /^-?(?:0|[1-9]\d{0,14})$/;
/** At most eight decimals: a ninth would be less than a satoshi. */
const COINS = /^(?:0|[1-9]\d{0,10})(?:\.\d{1,8})?$/;

/** Codes of the ways in which a value can be invalid. */
const FAULTS = [
	'hex',
	'hash',
	'pubkey',
	'address',
	'too-long',
	'whole',
	'out-of-range',
	'coins',
	'height-or-hash',
	'boolean'
] as const;
type Fault = (typeof FAULTS)[number];

/** Why a value is invalid, with the bounds that apply. */
export interface ParamFault {
	/** `other`: of another JSON type. */
	readonly code: Fault | 'other';
	readonly min?: number | undefined;
	readonly max?: number | undefined;
	readonly maxBytes?: number | undefined;
}

/** Uses a code as the message of a schema. */
const fault = (code: Fault): Fault => code;

function textSchema(param: Param, method: DaemonMethod): z.ZodString {
	const { format, maxBytes } = paramFacts(method, param.name) ?? {};
	let schema = z.string();
	if (format !== undefined) {
		schema = schema.regex(FORMATS[format], fault(format));
	}
	if (maxBytes !== undefined) {
		// `max` counts characters, for readers of the schema; the second check counts bytes.
		schema = schema
			.max(maxBytes, fault('too-long'))
			.refine((text) => new TextEncoder().encode(text).length <= maxBytes, fault('too-long'));
	}
	return schema;
}

function integerSchema(param: Param, method: DaemonMethod): z.ZodNumber {
	const { min = -999_999_999_999_999, max = 999_999_999_999_999 } =
		paramFacts(method, param.name) ?? {};
	return z.int(fault('whole')).min(min, fault('out-of-range')).max(max, fault('out-of-range'));
}

/** A number that is sent as a string; a JSON number with the same digits is accepted too. */
function numericText(param: Param, method: DaemonMethod): z.ZodString {
	if (param.coins) return z.string().regex(COINS, fault('coins'));
	const facts = paramFacts(method, param.name);
	if (facts?.min === undefined && facts?.max === undefined) {
		return param.name === 'hashOrHeight'
			? z.string().regex(/^(?:\d{1,10}|[0-9a-fA-F]{64})$/, fault('height-or-hash'))
			: z.string().regex(/^\d{1,19}$/, fault('whole'));
	}
	const number = integerSchema(param, method);
	return z
		.string()
		.regex(WHOLE, fault('whole'))
		.refine((text) => number.safeParse(Number(text)).success, fault('out-of-range'));
}

/** Returns the schema of a parameter as native JSON, in the format of release 0.9.0. */
export function paramSchema(param: Param, method: DaemonMethod): z.ZodType {
	switch (param.kind) {
		case 'string':
			return textSchema(param, method);
		case 'numeric':
			return numericText(param, method);
		case 'integer':
		case 'level':
			return integerSchema(param, method);
		case 'bool':
			return z.boolean(fault('boolean'));
		case 'json':
			return z.json();
	}
}

/** Returns why a native value is invalid; null when it is valid. */
export function paramFault(param: Param, method: DaemonMethod, native: unknown): ParamFault | null {
	const parsed = paramSchema(param, method).safeParse(native);
	if (parsed.success) return null;
	const message = parsed.error.issues[0]?.message;
	const { min, max, maxBytes } = paramFacts(method, param.name) ?? {};
	return { code: FAULTS.find((code) => code === message) ?? 'other', min, max, maxBytes };
}

/**
 * Returns the schema of the alternative form that the RPC API accepts, or null; the main one is {@link
 * paramSchema}.
 */
export function otherForm(param: Param): z.ZodType | null {
	switch (param.kind) {
		case 'numeric':
			return param.coins ? z.number() : z.int();
		case 'integer':
			return param.textInSeed ? z.string().regex(WHOLE) : null;
		case 'level':
			return z.boolean();
		default:
			return null;
	}
}
