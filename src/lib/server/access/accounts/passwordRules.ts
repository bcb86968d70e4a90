/**
 * Estimates which passwords are easy to guess, by splitting them into pieces that a guesser would try. Pure.
 */
import { COMMON_PASSWORDS } from './commonPasswords.ts';

/** Cost of a piece for a guesser, in units of one freely chosen character. */
const COST = { word: 1.5, pattern: 1, repeat: 0.5, digit: 0.5, other: 1 } as const;
/** A password is refused when its pieces cost at most this much in total. */
const TOO_EASY = 4;
/** No word of the list is longer. */
const LONGEST_WORD = 32;
const SHORTEST_WORD = 4;
/** No account has a longer name, but the name that a form sends can have any length. */
const LONGEST_NAME = 64;

const PRODUCT = ['komodeck', 'komodo', 'kmd'];

/**
 * Rows and columns of keyboards, alphabets and digits: pieces of them count as patterns, in both directions.
 */
const LINES: readonly string[] = [
	'abcdefghijklmnopqrstuvwxyz',
	'01234567890',
	'qwertyuiop[]',
	'asdfghjkl;',
	'zxcvbnm,./',
	'qwertzuiop',
	'azertyuiop',
	'1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik,9ol.0p;/',
	'q1w2e3r4t5y6u7i8o9p0',
	'1q2w3e4r5t6y7u8i9o0p',
	'!@#$%^&*()_+',
	'йцукенгшщзхъ',
	'фывапролджэ',
	'ячсмитьбю'
].flatMap((line) => [line, [...line].toReversed().join('')]);

/** Characters that people write in place of letters. A `1` is read as an `i` and as an `l`. */
const SIGNS: Readonly<Record<string, string>> = {
	'0': 'o',
	'1': 'i',
	'3': 'e',
	'4': 'a',
	'5': 's',
	'7': 't',
	'8': 'b',
	'9': 'g',
	'@': 'a',
	$: 's',
	'!': 'i',
	'|': 'l',
	'+': 't',
	'(': 'c',
	'€': 'e'
};

const withLetters = (text: readonly string[], one: string): string[] =>
	text.map((sign) => (sign === '1' ? one : (SIGNS[sign] ?? sign)));

/** A year from 1900 to 2099. */
const isYear = (piece: string): boolean => /^(?:19|20)\d\d$/.test(piece);

/**
 * Returns for each end of a piece where its longest run begins: all steps between neighbouring characters are
 * the same, up by one, down by one, or zero.
 */
function runsOf(signs: readonly string[]): number[] {
	const begins = [0, 0];
	let before: number | null = null;
	for (let end = 2; end <= signs.length; end += 1) {
		const step = signs[end - 1]!.codePointAt(0)! - signs[end - 2]!.codePointAt(0)!;
		if (Math.abs(step) > 1) begins.push(end - 1);
		else begins.push(step === before ? begins[end - 1]! : end - 2);
		before = step;
	}
	return begins;
}

/** The parts of a name that a guesser would try, forward and backward. */
function wordsOfName(name: string): string[] {
	const whole = name.normalize('NFKC').toLowerCase();
	const parts = [whole, ...whole.split(/[^\p{L}\p{N}]+/u), ...whole.split(/[^\p{L}]+/u)];
	return parts
		.filter((part) => {
			const { length } = [...part];
			return length >= 3 && length <= LONGEST_NAME;
		})
		.flatMap((part) => [part, [...part].toReversed().join('')]);
}

/**
 * Whether the cheapest way to compose a password from pieces costs a guesser little. It looks at few pieces for
 * each character, because callers without an account can send passwords too.
 */
function isEasy(password: string, names: ReadonlySet<string>): boolean {
	const plain = [...password];
	const readings = [plain, withLetters(plain, 'i'), withLetters(plain, 'l')].map((signs) =>
		signs.join('')
	);
	const [text = ''] = readings;
	// Signs are replaced by letters of the same length, so all readings have these offsets.
	const offsets = [0];
	for (const sign of plain) offsets.push(offsets.at(-1)! + sign.length);
	const cut = (from: string, start: number, end: number): string =>
		from.slice(offsets[start], offsets[end]);
	const runs = runsOf(plain);
	const longest = Math.max(LONGEST_WORD, ...[...names].map((name) => [...name].length));
	const best = [0];
	/** The last end up to which the password is easy. */
	let easyTo = 0;
	for (let end = 1; end <= plain.length; end += 1) {
		let least = best[end - 1]! + (/\p{Nd}/u.test(plain[end - 1]!) ? COST.digit : COST.other);
		// A piece that is on no line is not part of a longer one that is.
		let isOnLine = true;
		for (let start = end - 2; start >= Math.max(0, end - longest); start -= 1) {
			const length = end - start;
			const piece = cut(text, start, end);
			const words = readings.map((reading) => cut(reading, start, end));
			if (length >= SHORTEST_WORD && words.some((word) => COMMON_PASSWORDS.has(word))) {
				least = Math.min(least, best[start]! + COST.word);
			}
			isOnLine &&= LINES.some((line) => line.includes(piece));
			const isPattern =
				length === 2
					? plain[start] === plain[start + 1]
					: isOnLine || start >= runs[end]! || isYear(piece);
			if (isPattern || words.some((word) => names.has(word))) {
				least = Math.min(least, best[start]! + COST.pattern);
			}
			if (length <= start && cut(text, start - length, start) === piece) {
				least = Math.min(least, best[start]! + COST.repeat);
			}
		}
		best.push(least);
		if (least <= TOO_EASY) easyTo = end;
		// Each further piece begins where the password already costs too much.
		else if (end - easyTo >= longest) return false;
	}
	return easyTo === plain.length;
}

/**
 * Returns why a password would be among the first guesses; null when it would not. Also finds common
 * passwords with added digits, characters in place of letters, or repetitions.
 * @param password in NFKC
 */
export function easyToGuess(password: string, name: string): 'common' | 'name' | null {
	const text = password.toLowerCase();
	if (isEasy(text, new Set())) return 'common';
	const names = new Set([...wordsOfName(name), ...PRODUCT]);
	return isEasy(text, names) ? 'name' : null;
}
