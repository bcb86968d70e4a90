import { parseTxOutProof, provenTxids } from '#lib/chain/txOutProof.ts';
import { JsonNumber, type JsonValue } from '#lib/rpc/json.ts';

/** Forms for values that differ between chains. */
export type Kind = keyof typeof kinds | 'list';

type Form = (expected: JsonValue, actual: JsonValue) => boolean;

const spelled =
	(pattern: RegExp): Form =>
	(expected, actual) =>
		[expected, actual].every((value) =>
			pattern.test(value instanceof JsonNumber ? value.source : String(value))
		);

/** 2009 to 2106: seconds, not milliseconds. */
const isTime: Form = (expected, actual) => spelled(/^[1-4]?\d{9}$/)(expected, actual);

/** Lines of the actual text occur in the recorded one, in the same order. */
const isExcerpt: Form = (expected, actual) => {
	const lines = String(expected).split('\n');
	let at = 0;
	return String(actual)
		.split('\n')
		.every((line) => {
			at = lines.indexOf(line, at) + 1;
			return at > 0;
		});
};

/** Proofs for the same number of transactions. */
const isProof: Form = (expected, actual) => {
	const proven = (value: JsonValue): number => {
		try {
			return provenTxids(parseTxOutProof(String(value))).matches.length;
		} catch {
			return 0;
		}
	};
	return proven(expected) > 0 && proven(expected) === proven(actual);
};

const DATA = /^(?:OP_RETURN |6a(?:4c..|4d....|[0-4][0-9a-f]))(e2[0-9a-f]{2})(?:[0-9a-f]{2})+$/;

/**
 * Data outputs of burns and imports contain hashes and other chains' transactions; their contents are compared
 * with their transaction. Here both must be the same kind of data.
 */
const isMigrationData: Form = (expected, actual) => {
	const kind = DATA.exec(String(expected))?.[1];
	return kind !== undefined && kind === DATA.exec(String(actual))?.[1];
};

export const kinds = {
	'migration data': isMigrationData,
	proof: isProof,
	integer: spelled(/^-?\d+$/),
	'positive integer': spelled(/^[1-9]\d*$/),
	coins: spelled(/^-?\d+\.\d{8}$/),
	'positive coins': spelled(/^(?=.*[1-9])\d+\.\d{8}$/),
	'negative coins': spelled(/^-(?=.*[1-9])\d+\.\d{8}$/),
	number: spelled(/^-?\d+(\.\d+)?(e[-+]\d+)?$/),
	time: isTime,
	id: spelled(/^[0-9a-f]{64}$/),
	hex: spelled(/^([0-9a-f]{2})+$/),
	'signed script': spelled(/^[0-9a-f]{100,}(\[ALL\])?( 0[23][0-9a-f]{64})?$/),
	flag: spelled(/^(true|false)$/),
	neighbour: spelled(/^127\.0\.0\.1:\d+$/),
	'too high a fee': spelled(/^AcceptToMemoryPool: absurdly high fees [0-9a-f]{64}, \d+ > \d+$/),
	excerpt: isExcerpt
} satisfies Record<string, Form>;
