/** The schema of one parameter: what forms check and what the description of the interface says. */
import { z } from 'zod';
import type { DaemonMethod } from './daemon/index.ts';
import { paramFacts } from './daemon/parameters.ts';
import type { Param } from './types.ts';

const FORMATS = {
	hex: [/^(?:[0-9a-fA-F]{2})+$/, 'Enter an even number of hexadecimal digits.'],
	hash: [/^[0-9a-fA-F]{64}$/, 'Enter 64 hexadecimal digits.'],
	pubkey: [
		/^0[23][0-9a-fA-F]{64}$/,
		'Enter a public key: 66 hexadecimal digits that begin with 02 or 03.'
	],
	address: [/^[123456789A-HJ-NP-Za-km-z]{20,64}$/, 'This is not an address.']
} as const;

const WHOLE = /^-?(?:0|[1-9]\d{0,14})$/;
/** Eight decimals at most: a ninth would be less than a satoshi. */
const COINS = /^(?:0|[1-9]\d{0,10})(?:\.\d{1,8})?$/;
const COINS_TEXT = 'Enter an amount of coins with a point and 8 decimals at most, like 1.15.';

function textSchema(param: Param, method: DaemonMethod): z.ZodString {
	const { format, maxBytes } = paramFacts(method, param.name) ?? {};
	let schema = z.string();
	if (format !== undefined) {
		const [pattern, sentence] = FORMATS[format];
		schema = schema.regex(pattern, sentence);
	}
	if (maxBytes !== undefined) {
		// In characters for who reads the schema; more bytes than that are found by the second check.
		schema = schema
			.max(maxBytes, `At most ${maxBytes} bytes.`)
			.refine(
				(text) => new TextEncoder().encode(text).length <= maxBytes,
				`At most ${maxBytes} bytes.`
			);
	}
	return schema;
}

function wholeSchema(param: Param, method: DaemonMethod): z.ZodNumber {
	const { min = -999_999_999_999_999, max = 999_999_999_999_999 } =
		paramFacts(method, param.name) ?? {};
	const range = `Enter a whole number from ${min} to ${max}.`;
	return z.int('Enter a whole number.').min(min, range).max(max, range);
}

/** A number that travels as text; a JSON number of the same digits is taken, too. */
function numericText(param: Param, method: DaemonMethod): z.ZodString {
	if (param.coins) return z.string().regex(COINS, COINS_TEXT);
	const facts = paramFacts(method, param.name);
	if (facts?.min === undefined && facts?.max === undefined) {
		return param.name === 'hashOrHeight'
			? z
					.string()
					.regex(/^(?:\d{1,10}|[0-9a-fA-F]{64})$/, 'Enter a height or 64 hexadecimal digits.')
			: z.string().regex(/^\d{1,19}$/, 'Enter a whole number.');
	}
	const number = wholeSchema(param, method);
	return z
		.string()
		.regex(WHOLE, 'Enter a whole number.')
		.refine(
			(text) => number.safeParse(Number(text)).success,
			`Enter a whole number from ${facts.min ?? 'any'} to ${facts.max ?? 'any'}.`
		);
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
			return z.boolean('Choose true or false.');
		case 'json':
			return z.json();
	}
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
