/**
 * Building blocks of method schemas. Each is a codec between the wire format (JSON whose numbers keep their
 * digits) and the native value: decoding and encoding again gives the same text.
 */
import { z } from 'zod';
import { formatCoins, type Satoshi } from '#lib/chain/amount.ts';
import { JsonNumber, type JsonValue } from './json.ts';

/** Parameter of issues about values that must be numbers. */
export const WANTS_NUMBER = { wants: 'number' } as const;

/** @param type name of the type in a JSON schema */
const number = (pattern: RegExp, what: string, type: 'integer' | 'number' = 'number') =>
	z
		.custom<JsonNumber>((value) => value instanceof JsonNumber && pattern.test(value.source), {
			error: `expected ${what}`,
			params: WANTS_NUMBER
		})
		.meta({ type });

/** Converts a JSON number that a double holds exactly. */
const asDouble = {
	decode: (wire: JsonNumber): number => Number(wire.source),
	encode: (native: number): JsonNumber => new JsonNumber(String(native))
};

/** A JSON integer that a double holds exactly. */
export const int = z.codec(
	number(/^-?(?:0|[1-9]\d{0,15})$/, 'an integer', 'integer').refine(
		(value) => Number.isSafeInteger(Number(value.source)),
		'the integer is too large'
	),
	z.number(),
	asDouble
);

/** The last second of the year 9999; later times cannot be formatted. Unix seconds. */
export const LAST_SECOND = 253_402_300_799;

/** A time as JSON integer, Unix seconds. */
export const seconds = z.codec(
	number(/^(?:0|[1-9]\d{0,11})$/, 'a time', 'integer').refine(
		(value) => Number(value.source) <= LAST_SECOND,
		'the time is too late'
	),
	z.number(),
	asDouble
);

/** A JSON integer that counts satoshi or base units of a token. */
export const units = z.codec(
	number(/^-?(?:0|[1-9]\d{0,18})$/, 'an integer', 'integer'),
	z.bigint(),
	{
		decode: (wire) => BigInt(wire.source),
		encode: (native) => new JsonNumber(native.toString())
	}
);

function fromDecimals(source: string): Satoshi {
	const negative = source.startsWith('-');
	const digits = BigInt(source.replace('-', '').replace('.', ''));
	return negative ? -digits : digits;
}

/** Coins as the daemon writes them: a JSON number with exactly 8 decimals. Native: satoshi. */
export const coins = z.codec(
	number(/^-?(?:0|[1-9]\d{0,10})\.\d{8}$/, 'a number with 8 decimals'),
	z.bigint(),
	{
		decode: (wire) => fromDecimals(wire.source),
		encode: (native) => new JsonNumber(formatCoins(native))
	}
);

/** Coins as the interface document writes them: a number with up to 8 decimals. Native: satoshi. */
export const coinsOfSeed = z.codec(
	number(/^-?(?:0|[1-9]\d{0,10})(?:\.\d{1,8})?$/, 'a number of up to 8 decimals'),
	z.bigint(),
	{
		decode: (wire) => {
			const [whole = '0', decimals = ''] = wire.source.split('.');
			return fromDecimals(`${whole}.${decimals.padEnd(8, '0')}`);
		},
		encode: (native) => new JsonNumber(formatCoins(native))
	}
);

/** An amount, or the integer 0 that the daemon writes for an empty sum. */
export const orNone = <A extends z.ZodType<bigint>>(amount: A) =>
	z.union([
		amount,
		z.codec(number(/^0$/, '0'), z.literal('none'), {
			decode: () => 'none' as const,
			encode: () => new JsonNumber('0')
		})
	]);

/** A number that is not an amount (difficulty, rate); its digits are kept as written. */
export const real = number(/./, 'a number');

/** Any number that the documentation shows for coins; its digits are kept as written. */
export const documentedCoins = real;

/** 32 bytes in lower-case hex: a txid, a block hash, a merkle root, in display order. */
export const hash = z.string().regex(/^[0-9a-f]{64}$/, 'expected 64 lower-case hex digits');
/** A compressed public key in lower-case hex. */
export const pubkey = z.string().regex(/^0[23][0-9a-f]{64}$/, 'expected a compressed public key');
/** A public key in lower-case hex, compressed or uncompressed. */
export const anyPubkey = z
	.string()
	.regex(/^(?:0[23][0-9a-f]{64}|04[0-9a-f]{128})$/, 'expected a public key');
/** Bytes in lower-case hex, possibly none. */
export const hexOrEmpty = z.string().regex(/^(?:[0-9a-f]{2})*$/, 'expected hex');
/** At least one byte in lower-case hex. */
export const hex = z.string().regex(/^(?:[0-9a-f]{2})+$/, 'expected hex');
/** Four bytes in hex: bits, branch ids, group ids. */
export const hex4 = z.string().regex(/^[0-9a-f]{8}$/, 'expected 8 hex digits');
/** A base58 address. */
export const address = z
	.string()
	.regex(/^[123456789A-HJ-NP-Za-km-z]{20,64}$/, 'expected an address');
/** Digits in a JSON string. */
export const digits = z.string().regex(/^-?\d+$/, 'expected digits');
/** One integer per era of a chain, separated by commas in one string. */
export const digitsByEra = z.string().regex(/^-?\d+(?:,-?\d+)*$/, 'expected digits');
export const text = z.string();
export const bool = z.boolean();
export const success = z.literal('success');

/** A CCid sent as text; native: a number. */
export const ccidText = z.codec(z.string().regex(/^\d{1,10}$/, 'expected digits'), z.number(), {
	decode: Number,
	encode: String
});

/** A union of shapes; the first that matches counts. */
export const oneOf = z.union;
export const object = z.strictObject;
export const list = z.array;

/** An object whose named optional members must be either all present or all absent. */
export function together<S extends z.ZodObject>(
	schema: S,
	members: readonly (keyof z.output<S> & string)[]
): S {
	return schema.refine(
		(value: Record<string, unknown>) =>
			new Set(members.map((name) => value[name] === undefined)).size <= 1,
		`expected all or none of ${members.join(', ')}`
	);
}

/** A version 4 transaction without inputs and outputs, used by examples. */
export const EMPTY_TRANSACTION = `0400008085202f89${'00'.repeat(21)}`;

/** One positional parameter. A number that is sent as a string is a string as native value too. */
export interface Param<N = unknown, Optional extends boolean = boolean> {
	name: string;
	/** Whether it may be omitted; only trailing parameters may. */
	optional: Optional;
	/**
	 * - `string`: JSON string
	 * - `numeric`: number as text; a JSON string for the real daemon, a JSON number in the interface document
	 * - `integer`: JSON integer; a string in the interface document if `textInSeed` is set
	 * - `level`: JSON integer, or a boolean that counts as 1 or 0
	 * - `bool`, `json`: unchanged
	 */
	kind: 'string' | 'numeric' | 'integer' | 'level' | 'bool' | 'json';
	textInSeed?: boolean;
	/**
	 * The number is an amount in coins and may have decimals; the daemon parses other numbers as integers.
	 */
	coins?: boolean;
	/** A txid: the daemon's behavior is undefined for 64 characters that are not hex. */
	txid?: boolean;
	/** The last parameter may be repeated any number of times. */
	repeats?: boolean;
	/** Only the presence of the parameter matters: the daemon accepts any value. */
	anything?: boolean;
	/** Null has the same effect as omitting the parameter. */
	orNull?: boolean;
	hint?: string;
	/** Only carries the type; never set. */
	native?: N;
}

type Extra = Pick<Param, 'hint' | 'textInSeed' | 'coins' | 'anything' | 'orNull'>;

function param<N>(kind: Param['kind']) {
	return (name: string, extra: Extra = {}): Param<N, false> => ({
		name,
		optional: false,
		kind,
		...extra
	});
}

/** Constructors of parameters by kind. */
export const p = {
	string: param<string>('string'),
	txid: (name: string): Param<string, false> => ({
		name,
		optional: false,
		kind: 'string',
		txid: true,
		hint: '64 hex digits'
	}),
	numeric: param<string>('numeric'),
	integer: param<number>('integer'),
	level: param<number>('level'),
	bool: param<boolean>('bool'),
	/** An array or object passed through unchanged; native: plain JSON. */
	json: param<JsonValue>('json'),
	/** Marks a parameter as optional. */
	optional: <N>(inner: Param<N, false>): Param<N, true> => ({ ...inner, optional: true }),
	/** The last parameter, repeated zero or more times. */
	rest: <N>(inner: Param<N, false>): Param<N, true> & { repeats: true } => ({
		...inner,
		optional: true,
		repeats: true
	})
};

/** The tuple type of native values for a list of parameters. */
export type NativeParams<P extends readonly Param[]> = P extends readonly [
	infer Head,
	...infer Rest extends readonly Param[]
]
	? Head extends Param<infer N> & { repeats: true }
		? N[]
		: Head extends Param<infer N, infer Optional>
			? Optional extends true
				? [value?: N, ...rest: NativeParams<Rest>]
				: [value: N, ...rest: NativeParams<Rest>]
			: []
	: [];
