/** Finds commands by typed words in any order, by synonyms, and by chain names with typing errors. */
import type { Command } from './commands.ts';

/** Words that carry no meaning in a search. */
const EMPTY_WORDS: ReadonlySet<string> = new Set('a an the to of on my for in at'.split(' '));

/** Scores of a match; `said`: a synonym, or the beginning of a word of the title. */
const FIT = { none: 0, mistyped: 1, part: 2, begun: 3, chain: 4, said: 5, title: 6 } as const;

/** Tolerated typing errors for a name of this length: a short name soon equals another one. */
const errorsIn = (length: number): number => (length < 4 ? 0 : length < 7 ? 1 : 2);

/**
 * Returns the edit distance of two short texts: omitted, added and replaced characters, and swapped
 * neighbors.
 */
export function typingErrors(a: string, b: string): number {
	let before: number[] = [];
	let last = Array.from({ length: b.length + 1 }, (_, at) => at);
	for (let i = 1; i <= a.length; i++) {
		const row = [i];
		for (let j = 1; j <= b.length; j++) {
			const same = a[i - 1] === b[j - 1];
			let least = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1));
			if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
				least = Math.min(least, before[j - 2]! + 1);
			row.push(least);
		}
		[before, last] = [last, row];
	}
	return last[b.length]!;
}

const isMistyped = (word: string, name: string): boolean =>
	typingErrors(word, name) <= errorsIn(name.length);

function fitOf(word: string, { words, aliases, chain = '' }: Command): number {
	const title = words.toLowerCase();
	const name = chain.toLowerCase();
	const own = title.split(' ');
	if (own.includes(word)) return FIT.title;
	if (aliases.includes(word) || own.some((one) => one.startsWith(word))) return FIT.said;
	if (name !== '' && name.startsWith(word)) return FIT.chain;
	if (aliases.some((alias) => alias.startsWith(word))) return FIT.begun;
	if (title.includes(word) || name.includes(word)) return FIT.part;
	return name !== '' && isMistyped(word, name) ? FIT.mistyped : FIT.none;
}

/**
 * Returns the commands that match every word of the text, best match first; among equals those of the open
 * chain come first, otherwise the given order remains. For an empty text: the commands that concern no
 * chain.
 * @param here the chain whose pages are open
 */
export function commandsLike(
	commands: readonly Command[],
	text: string,
	here: string | null = null
): Command[] {
	const typed = text.toLowerCase().split(/\s+/).filter(Boolean);
	const telling = typed.filter((word) => !EMPTY_WORDS.has(word));
	const words = telling.length > 0 ? telling : typed;
	if (words.length === 0) return commands.filter(({ chain }) => chain === undefined);
	return commands
		.map((command) => {
			const fits = words.map((word) => fitOf(word, command));
			const isChainAlone =
				command.main === true && fits.every((fit) => fit === FIT.chain || fit === FIT.mistyped);
			return {
				command,
				found: !fits.includes(FIT.none),
				score: fits.reduce((sum, fit) => sum + fit, 0) + (isChainAlone ? 1 : 0),
				isHere: here !== null && command.chain === here
			};
		})
		.filter(({ found }) => found)
		.toSorted((a, b) => b.score - a.score || Number(b.isHere) - Number(a.isHere))
		.map(({ command }) => command);
}
