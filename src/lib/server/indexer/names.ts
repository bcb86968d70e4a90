/**
 * The words of token names, kept so that a name is found by any of its words, by the beginning of one, and
 * with a typing error in it. A word is written once for each token that has it; its misspellings stand once
 * for each distinct word, however many tokens share it.
 *
 * Misspellings are found by symmetric deletion: two words that differ by one added, missing, wrong or
 * swapped letter become equal when at most one letter is removed from each. So the question "which words
 * are close" is a few equality lookups, never a scan.
 */
import { chunks, insertRows, type Cell, type IndexTrx } from './bulk.ts';
import { foldName } from './read/fold.ts';

/** A token as far as its name is concerned. */
export interface NamedToken {
	/** Number of its chain. */
	chain: bigint;
	/** The place of its creation. */
	seq: bigint;
	name: string;
}

/** Shorter words are close to too many others. */
const SHORTEST = 4;
/** Letters that are compared; what stands behind them may differ until the words themselves are compared. */
const COMPARED = 10;
/** A name has 32 bytes on these chains; another chain's parameters could allow more. */
const MAX_WORDS = 16;

/** The distinct words of a name or of a search text, folded. */
export function wordsOf(name: string): string[] {
	const words = foldName(name)
		.split(/[\s\p{P}]+/u)
		.filter((word) => word !== '');
	return [...new Set(words)].slice(0, MAX_WORDS);
}

/** Whether errors in this word are looked for. In a number every digit counts. */
export const mayBeMisspelt = (word: string): boolean =>
	[...word].length >= SHORTEST && !/\p{N}/u.test(word);

/** The word itself and what remains of it when up to `depth` of its letters are left out. */
export function deletionsOf(word: string, depth = 1): string[] {
	let edge = new Set([[...word].slice(0, COMPARED).join('')]);
	const all = new Set(edge);
	for (let round = 0; round < depth; round++) {
		const next = new Set<string>();
		for (const text of edge) {
			const letters = [...text];
			for (let at = 0; at < letters.length; at++) {
				next.add(letters.toSpliced(at, 1).join(''));
			}
		}
		for (const text of next) all.add(text);
		edge = next;
	}
	return [...all];
}

/** The rows that belong to a token's name: of `ix_name_words` and of `ix_name_typos`. */
export function nameRows({ chain, seq, name }: NamedToken): { words: Cell[][]; typos: Cell[][] } {
	const words = wordsOf(name);
	return {
		words: words.map((word) => [word, chain, seq]),
		typos: words
			.filter(mayBeMisspelt)
			.flatMap((word) => deletionsOf(word).map((key) => [key, word]))
	};
}

/** Writes the names of new tokens. */
export async function insertNames(trx: IndexTrx, tokens: readonly NamedToken[]): Promise<void> {
	const words: Cell[][] = [];
	const typos = new Map<string, Cell[]>();
	for (const token of tokens) {
		const rows = nameRows(token);
		words.push(...rows.words);
		for (const row of rows.typos) typos.set(row.join(' '), row);
	}
	await insertRows(trx, 'ix_name_words', ['word', 'chain', 'seq'], words);
	const tail = 'on conflict do nothing';
	await insertRows(trx, 'ix_name_typos', ['key', 'word'], [...typos.values()], tail);
}

/** Takes the names of tokens back; words that no token has any more go with their misspellings. */
export async function removeNames({ trx }: IndexTrx, tokens: readonly NamedToken[]): Promise<void> {
	const words = new Set<string>();
	for (const { chain, seq, name } of tokens) {
		const own = wordsOf(name);
		if (own.length === 0) continue;
		for (const word of own) words.add(word);
		await trx
			.deleteFrom('ix_name_words')
			.where('word', 'in', own)
			.where('chain', '=', chain)
			.where('seq', '=', seq)
			.execute();
	}
	for (const part of chunks([...words].filter(mayBeMisspelt), 100)) {
		const used = await Promise.all(
			part.map((word) =>
				trx.selectFrom('ix_name_words').select('word').where('word', '=', word).limit(1).execute()
			)
		);
		const gone = part.filter((_, at) => used[at]?.length === 0);
		const keys = [...new Set(gone.flatMap((word) => deletionsOf(word)))];
		for (const some of chunks(keys)) {
			await trx
				.deleteFrom('ix_name_typos')
				.where('key', 'in', some)
				.where('word', 'in', gone)
				.execute();
		}
	}
}
