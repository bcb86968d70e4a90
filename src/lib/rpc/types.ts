/**
 * The building blocks of method schemas. Each is a codec between the wire (JSON whose numbers kept their
 * digits) and the native value: decoding and encoding again gives the same text.
 */
import { z } from 'zod';
import { formatCoins, type Satoshi } from '#lib/chain/amount.ts';
import { JsonNumber, type JsonValue } from './json.ts';

/** What an issue of a value carries that has to be a number. */
export const WANTS_NUMBER = { wants: 'number' } as const;

/** @param type what a JSON schema calls it */
const number = (pattern: RegExp, what: string, type: 'integer' | 'number' = 'number') =>
	z
		.custom<JsonNumber>((value) => value instanceof JsonNumber && pattern.test(value.source), {
			error: `expected ${what}`,
			params: WANTS_NUMBER
		})
		.meta({ type });

/** A JSON integer within what a double holds exactly. */
export const int = z.codec(
	number(/^-?(?:0|[1-9]\d{0,15})$/, 'an integer', 'integer').refine(
		(value) => Number.isSafeInteger(Number(value.source)),
		'the integer is too large'
	),
	z.number(),
	{
		decode: (wire) => Number(wire.source),
		encode: (native) => new JsonNumber(String(native))
	}
);

/** A JSON integer that counts satoshi or token units. */
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

/** Coins as the daemon prints them: a JSON number with exactly 8 decimals. Native: satoshi. */
export const coins = z.codec(
	number(/^-?(?:0|[1-9]\d{0,10})\.\d{8}$/, 'a number with 8 decimals'),
	z.bigint(),
	{
		decode: (wire) => fromDecimals(wire.source),
		encode: (native) => new JsonNumber(formatCoins(native))
	}
);

/** Coins as the interface document has them: a number of up to 8 decimals. Native: satoshi. */
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

/** An amount, or the integer 0 that the daemon prints for an empty sum. */
export const orNone = <A extends z.ZodType<bigint>>(amount: A) =>
	z.union([
		amount,
		z.codec(number(/^0$/, '0'), z.literal('none'), {
			decode: () => 'none' as const,
			encode: () => new JsonNumber('0')
		})
	]);

/** A number that is no money (difficulty, rate): it stays as it was spelled. */
export const real = number(/./, 'a number');

/** Any number that the documentation shows for coins, spelled as it was. */
export const documentedCoins = real;

/** 32 bytes in lower-case hex: a txid, a block hash, a merkle root, in display order. */
export const hash = z.string().regex(/^[0-9a-f]{64}$/, 'expected 64 lower-case hex digits');
/** A compressed public key in lower-case hex. */
export const pubkey = z.string().regex(/^0[23][0-9a-f]{64}$/, 'expected a compressed public key');
/** A public key in lower-case hex, of either length. */
export const anyPubkey = z
	.string()
	.regex(/^(?:0[23][0-9a-f]{64}|04[0-9a-f]{128})$/, 'expected a public key');
/** Bytes in lower-case hex, none allowed. */
export const hexOrEmpty = z.string().regex(/^(?:[0-9a-f]{2})*$/, 'expected hex');
/** Bytes in lower-case hex. */
export const hex = z.string().regex(/^(?:[0-9a-f]{2})+$/, 'expected hex');
/** Four bytes in hex: bits, branch ids, group ids. */
export const hex4 = z.string().regex(/^[0-9a-f]{8}$/, 'expected 8 hex digits');
/** A base58 address. */
export const address = z
	.string()
	.regex(/^[123456789A-HJ-NP-Za-km-z]{20,64}$/, 'expected an address');
/** Digits in a JSON string. */
export const digits = z.string().regex(/^-?\d+$/, 'expected digits');
/** One value for each era of a chain, in one string. */
export const digitsByEra = z.string().regex(/^-?\d+(?:,-?\d+)*$/, 'expected digits');
export const text = z.string();
export const bool = z.boolean();
export const success = z.literal('success');

/** A CCid that travels as text; native: a number. */
export const ccidText = z.codec(z.string().regex(/^\d{1,10}$/, 'expected digits'), z.number(), {
	decode: Number,
	encode: String
});

/** All of several shapes, the first that fits. */
export const oneOf = z.union;
export const object = z.strictObject;
export const list = z.array;

/** An object in which the named members, each optional, stand all together or are all absent. */
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

/** A version 4 transaction without inputs and outputs: what examples send. */
export const EMPTY_TRANSACTION = `0400008085202f89${'00'.repeat(21)}`;

/** One positional parameter. The native value of a number that travels as text is that text. */
export interface Param<N = unknown, Optional extends boolean = boolean> {
	name: string;
	/** Trailing parameters may be left out. */
	optional: Optional;
	/**
	 * - `string`: JSON string
	 * - `numeric`: text of a number; a JSON string to the real daemon, a JSON number in the interface document
	 * - `integer`: JSON integer; text in the interface document where `textInSeed` is set
	 * - `level`: JSON integer, or a bool that stands for 1 and 0
	 * - `bool`, `json`: as they are
	 */
	kind: 'string' | 'numeric' | 'integer' | 'level' | 'bool' | 'json';
	textInSeed?: boolean;
	/** The number counts coins and may have decimals; the daemon reads other numbers as integers. */
	coins?: boolean;
	/** A txid: the daemon's behaviour is undefined for 64 characters that are not hex. */
	txid?: boolean;
	/** The last parameter may come any number of times. */
	repeats?: boolean;
	/** That it is there is all that counts: the daemon takes any value. */
	anything?: boolean;
	/** Null is as good as left out. */
	orNull?: boolean;
	hint?: string;
	/** Only for the type. */
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

/** Parameters by kind. */
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
	/** An array or object that is handed on; native: plain JSON. */
	json: param<JsonValue>('json'),
	/** The same parameter, allowed to be left out. */
	optional: <N>(inner: Param<N, false>): Param<N, true> => ({ ...inner, optional: true }),
	/** The last parameter, any number of times or not at all. */
	rest: <N>(inner: Param<N, false>): Param<N, true> & { repeats: true } => ({
		...inner,
		optional: true,
		repeats: true
	})
};

/** The native tuple of a list of parameters. */
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
