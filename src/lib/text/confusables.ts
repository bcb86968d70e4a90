/**
 * Letters of other alphabets that look like Latin ones, for telling apart texts that look alike. (Unicode
 * Technical Standard 39, "confusables", restricted to living scripts whose letters fonts draw alike.)
 */
import { visibleText } from './visibleText.ts';

/** Pairs of a letter and the Latin letter it looks like, in lower case where there is one. */
const CONFUSABLES: readonly (readonly [script: string, pairs: string])[] = [
	['Cyrillic', 'аaвbеeѕsіiјjкkмmнhоoрpсcтtуyхxԁdԛqԝwӏlзeґгпnЬbьb'],
	['Greek', 'αaβbεeζzηhιiκkμmνvοoρpτtυyχxγyωw'],
	['Armenian', 'օoսuոnհhզqցgՏsԼl'],
	['Cherokee', 'ꭰdꭱrꭲtꮃwꮇmꭺaꭻjꭼeꮋhꮐgꮓzꮒhꮪsꮮlꮯcꮲpꮶkᏴbᏙv']
];

/** Names of the scripts, with a pattern for their letters. */
const SCRIPTS: readonly (readonly [name: string, letters: RegExp])[] = [
	['Cyrillic', /\p{Script=Cyrillic}/u],
	['Greek', /\p{Script=Greek}/u],
	['Armenian', /\p{Script=Armenian}/u],
	['Cherokee', /\p{Script=Cherokee}/u]
];

const LOOKS: ReadonlyMap<string, string> = new Map(
	CONFUSABLES.flatMap(([, pairs]) => {
		const letters = [...pairs];
		return Array.from({ length: letters.length / 2 }, (_, at): [string, string] => [
			letters[2 * at]!,
			letters[2 * at + 1]!
		]);
	})
);

/** Upper-case letters that look like a Latin letter although their lower case does not. */
const UPPER: ReadonlyMap<string, string> = new Map(
	Object.entries({ В: 'b', Н: 'h', Ρ: 'p', Η: 'h', Ν: 'n', Υ: 'y', Μ: 'm', Ζ: 'z', Β: 'b' })
);

/** Latin letters, digits and signs that are hard to tell from each other. */
const ALIKE: ReadonlyMap<string, string> = new Map(
	Object.entries({ '0': 'o', '1': 'l', i: 'l', '|': 'l', ı: 'l', ɩ: 'l', ɑ: 'a', ɡ: 'g' })
);

/**
 * Returns the skeleton of a text (UTS 39): texts with the same skeleton can be mistaken for each other. Case,
 * accents, spaces, dashes, invisible characters and look-alike letters make no difference.
 */
export function skeleton(text: string): string {
	let look = '';
	for (const sign of text.normalize('NFKD')) {
		const lower = sign.toLowerCase();
		if (/[\p{M}\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\s\p{Pd}\u2800_.]/u.test(lower)) continue;
		const latin = UPPER.get(sign) ?? LOOKS.get(lower) ?? lower;
		look += ALIKE.get(latin) ?? latin;
	}
	// Pairs of letters that look like a single one.
	return look.replaceAll('rn', 'm').replaceAll('vv', 'w');
}

const scriptOf = (letter: string): string | null =>
	SCRIPTS.find(([, letters]) => letters.test(letter))?.[0] ?? null;

const hasLatin = (word: string): boolean => /\p{Script=Latin}/u.test(word);
/** True when every letter of a word could be mistaken for a Latin one. */
const passesForLatin = (word: string): boolean =>
	[...word]
		.filter((letter) => /\p{L}/u.test(letter))
		.every((letter) => UPPER.has(letter) || LOOKS.has(letter.toLowerCase()));

/** Appends the script's name to each run of letters that could be mistaken for Latin ones. */
function markedWord(word: string): string {
	const foreign = [...word].some((letter) => scriptOf(letter) !== null);
	if (!foreign || !(hasLatin(word) || passesForLatin(word))) return word;
	let marked = '';
	let before: string | null = null;
	for (const letter of word) {
		const script = /\p{L}/u.test(letter) ? scriptOf(letter) : null;
		if (before !== null && script !== before) marked += `‹${before}›`;
		marked += letter;
		before = script;
	}
	return before === null ? marked : `${marked}‹${before}›`;
}

/**
 * Makes hidden features of user-written text visible: invisible characters as in `visibleText`, and
 * `а‹Cyrillic›lice` for a name whose first letter only looks Latin. Words that are clearly in another
 * alphabet are left unchanged.
 */
export function markedText(text: string): string {
	return visibleText(text).replace(/[\p{L}\p{M}\p{N}]+/gu, markedWord);
}
