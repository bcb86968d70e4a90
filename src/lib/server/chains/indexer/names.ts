/**
 * Indexes the words of token names, so that a name is found by any of its words, by the beginning of a word, and
 * despite a typing error. A word is stored once for each token that has it, its misspellings once for each distinct
 * word.
 *
 * Misspellings are found by symmetric deletion: two words that differ by one added, missing, wrong or swapped
 * letter become equal when at most one letter is removed from each. So searching for similar words takes a few
 * equality lookups, never a scan.
 */
import { sql } from 'kysely';
import { skeleton } from '#lib/text/confusables.ts';
import { comparedPart, foldName } from './fold.ts';
import { ADVISORY_LOCKS } from '../../platform/database/advisoryLocks.ts';
import { chunks } from '../../platform/database/chunks.ts';
import { insertRows, type IndexTrx } from './bulk.ts';

/** The parts of a token that its name is indexed by. */
interface NamedToken {
	/** Id of its chain. */
	chain: bigint;
	/** `seq` of its creation. */
	seq: bigint;
	name: string;
}

/** Letters. Shorter words are similar to too many others. */
const SHORTEST = 4;
/** Letters for which deletions are stored; later letters are only compared when the whole words are. */
const COMPARED = 10;
/** A usual name has 32 bytes. */
const MAX_WORDS = 16;

/** Returns the distinct words of a name or of a search text, folded. */
export function wordsOf(name: string): string[] {
	const words = foldName(name)
		.split(/[\s\p{P}]+/u)
		.filter((word) => word !== '')
		.map(comparedPart);
	return [...new Set(words)].slice(0, MAX_WORDS);
}

/** Whether misspellings of this word are searched. In a word with digits every character counts. */
export const mayBeMisspelt = (word: string): boolean =>
	[...word].length >= SHORTEST && !/\p{N}/u.test(word);

const comparedOf = (word: string): string => [...word].slice(0, COMPARED).join('');

/** Returns the beginning of the word, and what remains of it after removing up to `depth` letters. */
export function deletionsOf(word: string, depth = 1): string[] {
	let edge = new Set([comparedOf(word)]);
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

/**
 * Two chains that are written at the same time may share a word. SQLite has one writer; on PostgreSQL removing
 * words takes an exclusive lock, so that no chain relies on misspellings that are just being removed.
 */
async function lockWords({ trx, dialect }: IndexTrx, change: 'add' | 'remove'): Promise<void> {
	if (dialect !== 'postgres') return;
	await (
		change === 'add'
			? sql`select pg_advisory_xact_lock_shared(${ADVISORY_LOCKS.indexNames})`
			: sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.indexNames})`
	).execute(trx);
}

/** Returns the words whose misspellings are not stored yet. */
async function unknownOf({ trx }: IndexTrx, words: readonly string[]): Promise<string[]> {
	const known = new Set<string>();
	for (const part of chunks(words)) {
		const values = sql.join(part.map((word) => sql`(${comparedOf(word)}, ${word})`));
		const rows = await trx
			.selectFrom('ix_name_typos')
			.select('word')
			.where(sql<boolean>`(key, word) in (values ${values})`)
			.execute();
		for (const { word } of rows) known.add(word);
	}
	return words.filter((word) => !known.has(word));
}

/** Stores the words of the names of new tokens. */
export async function insertNames(trx: IndexTrx, tokens: readonly NamedToken[]): Promise<void> {
	if (tokens.length === 0) return;
	await lockWords(trx, 'add');
	const rows = tokens.flatMap(({ chain, seq, name }) =>
		wordsOf(name).map((word) => [word, chain, seq] as const)
	);
	await insertRows(trx, 'ix_name_words', ['word', 'chain', 'seq'], rows);
	const words = [...new Set(rows.map(([word]) => word))].filter(mayBeMisspelt);
	const typos = (await unknownOf(trx, words)).flatMap((word) =>
		deletionsOf(word).map((key) => [key, word])
	);
	// Another chain may have stored the same word meanwhile.
	await insertRows(trx, 'ix_name_typos', ['key', 'word'], typos, 'on conflict do nothing');
}

/** Removes the words of tokens, and the misspellings of words that no token has any more. */
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

/** Returns the look of a name (UTS 39 skeleton), as it is stored and searched. */
export const lookOf = (name: string): string => comparedPart(skeleton(name));

/** Stores the looks of the names of new tokens. */
export async function insertLooks(trx: IndexTrx, tokens: readonly NamedToken[]): Promise<void> {
	const rows = tokens.map(({ chain, seq, name }) => [chain, lookOf(name), seq] as const);
	await insertRows(trx, 'ix_name_looks', ['chain', 'look', 'seq'], rows);
}

/** Removes the looks of tokens. */
export async function removeLooks({ trx }: IndexTrx, tokens: readonly NamedToken[]): Promise<void> {
	for (const { chain, seq, name } of tokens) {
		await trx
			.deleteFrom('ix_name_looks')
			.where('chain', '=', chain)
			.where('look', '=', lookOf(name))
			.where('seq', '=', seq)
			.execute();
	}
}
