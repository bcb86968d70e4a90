/** The schema of one parameter: what forms check and what the description of the interface says. Its messages are codes. */
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
/** Eight decimals at most: a ninth would be less than a satoshi. */
const COINS = /^(?:0|[1-9]\d{0,10})(?:\.\d{1,8})?$/;

/** What does not fit of a value. */
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

/** What does not fit of a value, and the bounds it is outside of. */
export interface ParamFault {
	/** `other`: of another JSON type. */
	readonly code: Fault | 'other';
	readonly min?: number | undefined;
	readonly max?: number | undefined;
	readonly maxBytes?: number | undefined;
}

/** A code as the message of a schema. */
const fault = (code: Fault): Fault => code;

function textSchema(param: Param, method: DaemonMethod): z.ZodString {
	const { format, maxBytes } = paramFacts(method, param.name) ?? {};
	let schema = z.string();
	if (format !== undefined) {
		schema = schema.regex(FORMATS[format], fault(format));
	}
	if (maxBytes !== undefined) {
		// In characters for who reads the schema; more bytes than that are found by the second check.
		schema = schema
			.max(maxBytes, fault('too-long'))
			.refine((text) => new TextEncoder().encode(text).length <= maxBytes, fault('too-long'));
	}
	return schema;
}

function wholeSchema(param: Param, method: DaemonMethod): z.ZodNumber {
	const { min = -999_999_999_999_999, max = 999_999_999_999_999 } =
		paramFacts(method, param.name) ?? {};
	return z.int(fault('whole')).min(min, fault('out-of-range')).max(max, fault('out-of-range'));
}

/** A number that travels as text; a JSON number of the same digits is taken, too. */
function numericText(param: Param, method: DaemonMethod): z.ZodString {
	if (param.coins) return z.string().regex(COINS, fault('coins'));
	const facts = paramFacts(method, param.name);
	if (facts?.min === undefined && facts?.max === undefined) {
		return param.name === 'hashOrHeight'
			? z.string().regex(/^(?:\d{1,10}|[0-9a-fA-F]{64})$/, fault('height-or-hash'))
			: z.string().regex(/^\d{1,19}$/, fault('whole'));
	}
	const number = wholeSchema(param, method);
	return z
		.string()
		.regex(WHOLE, fault('whole'))
		.refine((text) => number.safeParse(Number(text)).success, fault('out-of-range'));
}

/** The parameter as native JSON, in the spelling of release 0.9.0. */
export function paramSchema(param: Param, method: DaemonMethod): z.ZodType {
	switch (param.kind) {
		case 'string':
			return textSchema(param, method);
		case 'numeric':
			return numericText(param, method);
		case 'integer':
		case 'level':
			return wholeSchema(param, method);
		case 'bool':
			return z.boolean(fault('boolean'));
		case 'json':
			return z.json();
	}
}

/** What does not fit of a native value; null when it fits. */
export function paramFault(param: Param, method: DaemonMethod, native: unknown): ParamFault | null {
	const parsed = paramSchema(param, method).safeParse(native);
	if (parsed.success) return null;
	const message = parsed.error.issues[0]?.message;
	const { min, max, maxBytes } = paramFacts(method, param.name) ?? {};
	return { code: FAULTS.find((code) => code === message) ?? 'other', min, max, maxBytes };
}

/** Where the interface takes a second form of the parameter; the first is {@link paramSchema}. */
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
