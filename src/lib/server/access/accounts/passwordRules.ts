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

/** Whether all steps between neighbouring characters are the same: up by one, down by one, or zero. */
function isRun(piece: readonly string[]): boolean {
	const steps = piece.slice(1).map((sign, at) => sign.codePointAt(0)! - piece[at]!.codePointAt(0)!);
	const [first = 9] = steps;
	return Math.abs(first) <= 1 && steps.every((step) => step === first);
}

function isPattern(piece: readonly string[]): boolean {
	const text = piece.join('');
	if (piece.length === 2) return piece[0] === piece[1];
	return isRun(piece) || isYear(text) || LINES.some((line) => line.includes(text));
}

/** The parts of a name that a guesser would try, forward and backward. */
function wordsOfName(name: string): string[] {
	const whole = name.normalize('NFKC').toLowerCase();
	const parts = [whole, ...whole.split(/[^\p{L}\p{N}]+/u), ...whole.split(/[^\p{L}]+/u)];
	return parts
		.filter((part) => [...part].length >= 3)
		.flatMap((part) => [part, [...part].toReversed().join('')]);
}

/** The cost of the cheapest way to compose a password from pieces. */
function costOf(password: string, names: ReadonlySet<string>): number {
	const plain = [...password];
	const readings = [plain, withLetters(plain, 'i'), withLetters(plain, 'l')];
	const longest = Math.max(LONGEST_WORD, ...[...names].map((name) => [...name].length));
	const best = [0];
	for (let end = 1; end <= plain.length; end += 1) {
		const sign = plain[end - 1]!;
		let least = best[end - 1]! + (/\p{Nd}/u.test(sign) ? COST.digit : COST.other);
		for (let start = Math.max(0, end - longest); start < end - 1; start += 1) {
			const piece = plain.slice(start, end);
			const words = readings.map((reading) => reading.slice(start, end).join(''));
			if (piece.length >= SHORTEST_WORD && words.some((word) => COMMON_PASSWORDS.has(word))) {
				least = Math.min(least, best[start]! + COST.word);
			}
			if (isPattern(piece) || words.some((word) => names.has(word)))
				least = Math.min(least, best[start]! + COST.pattern);
			const before = plain.slice(Math.max(0, 2 * start - end), start);
			if (before.length === piece.length && before.join('') === piece.join('')) {
				least = Math.min(least, best[start]! + COST.repeat);
			}
		}
		best.push(least);
	}
	return best.at(-1)!;
}

/**
 * Returns why a password would be among the first guesses; null when it would not. Also finds common
 * passwords with added digits, characters in place of letters, or repetitions.
 * @param password in NFKC
 */
export function easyToGuess(password: string, name: string): 'common' | 'name' | null {
	const text = password.toLowerCase();
	if (costOf(text, new Set()) <= TOO_EASY) return 'common';
	const names = new Set([...wordsOfName(name), ...PRODUCT]);
	return costOf(text, names) <= TOO_EASY ? 'name' : null;
}
