/**
 * Finds tokens by name. Every query reads a limited number of rows, however many tokens share a word. Results are,
 * in this order: names that equal the text or begin with it, tokens that have all its words, and tokens with
 * similar words.
 */
import { sql } from 'kysely';
import { deletionsOf, mayBeMisspelt, wordsOf } from '../indexer/names.ts';
import type { Index } from '../indexer/open.ts';
import { nameKeyOf } from '../indexer/fold.ts';
import { isOneOf } from './searchHashes.ts';

/** A token that matches a text. */
interface NamedHit {
	chain: string;
	tokenid: string;
	name: string;
	/** Letters by which its words differ from the text; 0 for none. */
	errors: number;
}

/** Sorts after every text that has the preceding part as a prefix. */
const LAST = '\u{10ffff}';
/** Rows read for one word; a word that more tokens share does not distinguish them. */
const PER_WORD = 300;
/** Longest words of a text that are searched. */
const WORDS = 5;

/** Similar words that are tried for a misspelled one. */
const CLOSE_WORDS = 8;

interface Place {
	chain: bigint;
	seq: bigint;
}

interface TokenRow extends Place {
	tokenid: Uint8Array;
	name: string;
}

const keyOf = ({ chain, seq }: Place): string => `${chain}:${seq}`;

/** Returns the number of letters to change, add, remove or swap with their neighbor to turn one word into the other. */
export function distance(a: string, b: string): number {
	const [left, right] = [[...a], [...b]];
	let before: number[] = [];
	let last = Array.from({ length: right.length + 1 }, (_, at) => at);
	for (let i = 1; i <= left.length; i++) {
		const row = [i];
		for (let j = 1; j <= right.length; j++) {
			const cost = left[i - 1] === right[j - 1] ? 0 : 1;
			let best = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + cost);
			if (i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1]) {
				best = Math.min(best, before[j - 2]! + 1);
			}
			row.push(best);
		}
		before = last;
		last = row;
	}
	return last[right.length]!;
}

/** Returns the number of errors tolerated in a word: two in a long one. */
const allowance = (word: string): number =>
	mayBeMisspelt(word) ? ([...word].length >= 8 ? 2 : 1) : 0;

/** Names of the chains to search, by id. */
type Chains = ReadonlyMap<bigint, string>;

async function placesOf(
	index: Index,
	chains: Chains,
	from: string,
	to: string | null
): Promise<Place[]> {
	const query = index
		.selectFrom('ix_name_words')
		.select(['chain', 'seq'])
		.where('chain', 'in', [...chains.keys()]);
	return (
		to === null
			? query.where('word', '=', from)
			: query.where('word', '>=', from).where('word', '<', to)
	)
		.orderBy('word')
		.orderBy('chain')
		.orderBy('seq')
		.limit(PER_WORD)
		.execute();
}

/** Returns alternative spellings of a word that sound the same. */
const spellingsOf = (word: string): string[] => [
	...new Set([word, word.replaceAll('ph', 'f'), word.replaceAll('f', 'ph')])
];

/** Query of words of names on these chains, for `exists` conditions. */
const knownWord = (index: Index, chains: Chains) =>
	index
		.selectFrom('ix_name_words as known')
		.select('known.seq')
		.where('known.chain', 'in', [...chains.keys()]);

/** Words in the index that are close to this one, the closest first. */
async function closeWords(index: Index, chains: Chains, word: string): Promise<string[]> {
	const allowed = allowance(word);
	if (allowed === 0) return [];
	const keys = new Set(spellingsOf(word).flatMap((spelling) => deletionsOf(spelling, allowed)));
	const close = index
		.selectFrom('ix_name_typos')
		.select('word')
		.distinct()
		.where('key', 'in', [...keys])
		.limit(PER_WORD);
	const rows = await index
		.selectFrom(close.as('close'))
		.select('close.word')
		.where((where) =>
			where.exists(knownWord(index, chains).where('known.word', '=', sql<string>`close.word`))
		)
		.execute();
	return rows
		.map((row) => ({ word: row.word, errors: distance(row.word, word) }))
		.filter(({ errors }) => errors > 0 && errors <= allowed)
		.sort((a, b) => a.errors - b.errors || (a.word < b.word ? -1 : 1))
		.slice(0, CLOSE_WORDS)
		.map((close) => close.word);
}

/** Letters of the longest word that is split: a usual token name has 32 bytes. */
const LONGEST = 32;
/** Ways to split one word that are tried. */
const PARTS = 4;

/** One word as two that the index knows, where it is a name typed without what separates its words. */
async function takenApart(index: Index, chains: Chains, word: string): Promise<string[][]> {
	const letters = [...word];
	if (letters.length < 2 || letters.length > LONGEST) return [];
	const pairs = letters
		.slice(1)
		.map((_, at) => [letters.slice(0, at + 1).join(''), letters.slice(at + 1).join('')]);
	const values = sql.join(pairs.flat().map((part) => sql`(cast(${part} as text))`));
	const { rows } = await sql<{ word: string }>`with part(word) as (values ${values})
		select word from part
		where exists ${knownWord(index, chains).where('known.word', '=', sql<string>`part.word`)}`.execute(
		index
	);
	const known = new Set(rows.map((row) => row.word));
	return pairs.filter((pair) => pair.every((part) => known.has(part))).slice(0, PARTS);
}

/** The same letters with other separators: "DEED17" for "DEED-17", and the other way round. */
const otherwiseSeparated = async (
	index: Index,
	chains: Chains,
	typed: readonly string[]
): Promise<string[][]> =>
	typed.length === 1 ? takenApart(index, chains, typed[0]!) : [[typed.join('')]];

/** The tokens that a word was found in. */
type Places = ReadonlyMap<string, Place>;

/**
 * Returns the tokens that every word was found in. A word with as many results as are read at all is ignored,
 * because its results are incomplete: the names are checked later.
 */
function inAll(lists: readonly Places[]): Place[] {
	const telling = lists.filter((list) => list.size < PER_WORD).toSorted((a, b) => a.size - b.size);
	const [first = lists[0], ...rest] = telling;
	if (first === undefined) return [];
	return [...first]
		.filter(([key]) => rest.every((list) => list.has(key)))
		.map(([, place]) => place);
}

/** Reads these tokens. */
async function tokensAt(index: Index, places: readonly Place[]): Promise<TokenRow[]> {
	if (places.length === 0) return [];
	const values = sql.join(
		places.map(({ chain, seq }) => sql`(cast(${chain} as bigint), cast(${seq} as bigint))`)
	);
	return index
		.selectFrom('ix_tokens')
		.select(['chain', 'seq', 'tokenid', 'name'])
		.where(sql<boolean>`(chain, seq) in (values ${values})`)
		.execute();
}

/** Returns by how many letters a name differs from these words; null when a word is missing. */
function errorsIn(name: string, words: readonly string[], typing: string): number | null {
	const own = wordsOf(name);
	let sum = 0;
	for (const word of words) {
		if (own.includes(word) || (word === typing && own.some((one) => one.startsWith(word)))) {
			continue;
		}
		const errors = Math.min(...own.map((one) => distance(one, word)));
		if (errors > allowance(word)) return null;
		sum += errors;
	}
	return sum;
}

/** Returns tokens whose name matches the text, best matches first. */
export async function findNames(
	index: Index,
	text: string,
	chains: Chains,
	limit: number
): Promise<NamedHit[]> {
	const folded = nameKeyOf(text);
	if (folded === '') return [];
	const typed = wordsOf(text);
	// The last word may still be being typed, so it also matches as a prefix.
	const typing = typed.at(-1) ?? '';
	const words = typed.toSorted((a, b) => b.length - a.length).slice(0, WORDS);
	const hits = new Map<string, NamedHit>();

	const add = (row: TokenRow, errors: number): void => {
		if (hits.size >= limit || hits.has(keyOf(row))) return;
		const { chain, tokenid, name } = row;
		hits.set(keyOf(row), {
			chain: chains.get(chain) ?? '',
			tokenid: Buffer.from(tokenid).toString('hex'),
			name,
			errors
		});
	};
	/** Adds the tokens whose names have all of these words, closest first. */
	const addFitting = async (
		places: readonly Place[],
		wanted: readonly string[] = words
	): Promise<void> => {
		const rows = await tokensAt(index, places.slice(0, PER_WORD));
		const judged = rows.flatMap((row) => {
			const errors = errorsIn(row.name, wanted, typing);
			return errors === null ? [] : [{ row, errors }];
		});
		judged.sort((a, b) => a.errors - b.errors || a.row.name.length - b.row.name.length);
		for (const { row, errors } of judged) add(row, errors);
	};

	const beginning = await index
		.selectFrom('ix_tokens')
		.select(['chain', 'seq', 'tokenid', 'name'])
		.where(isOneOf('chain', [...chains.keys()]))
		.where('name_key', '>=', folded)
		.where('name_key', '<', folded + LAST)
		.orderBy('name_key')
		.limit(limit)
		.execute();
	for (const row of beginning) add(row, 0);
	if (hits.size >= limit || words.length === 0) return [...hits.values()];

	const exact = await Promise.all(
		words.map(async (word) => {
			const places = await placesOf(index, chains, word, word === typing ? word + LAST : null);
			return new Map(places.map((place) => [keyOf(place), place]));
		})
	);
	await addFitting(inAll(exact));
	if (hits.size >= limit) return [...hits.values()];

	for (const parts of await otherwiseSeparated(index, chains, typed)) {
		const lists = await Promise.all(
			parts.map(async (part) => {
				const places = await placesOf(index, chains, part, null);
				return new Map(places.map((place) => [keyOf(place), place]));
			})
		);
		await addFitting(inAll(lists), parts);
	}
	if (hits.size >= limit) return [...hits.values()];

	const near = await Promise.all(
		words.map(async (word, at) => {
			const places = new Map(exact[at]);
			for (const close of await closeWords(index, chains, word)) {
				if (places.size >= PER_WORD) break;
				for (const place of await placesOf(index, chains, close, null))
					places.set(keyOf(place), place);
			}
			return places;
		})
	);
	await addFitting(inAll(near));
	return [...hits.values()];
}
