/** Searches the address book by typed text. */
import { bareText } from '#lib/chain/bareText.ts';
import { sql } from 'kysely';
import { foldName } from '../../chains/indexer/fold.ts';
import { deletionsOf, mayBeMisspelt, wordsOf } from '../../chains/indexer/names.ts';
import { distance } from '../../chains/lists/searchNames.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { WalletTables } from '../tables.ts';
import { toEntry, type Entry } from './entry.ts';

/** Appended to a prefix, gives the upper bound of all texts that start with that prefix. */
const LAST = '\u{10ffff}';

/**
 * Returns the search keys of a label: its words, and for words that may be misspelt also each variant with
 * one letter left out.
 */
export function wordKeys(label: string): { key: string; word: string }[] {
	return wordsOf(label).flatMap((word) =>
		(mayBeMisspelt(word) ? deletionsOf(word) : [word]).map((key) => ({ key, word }))
	);
}

/**
 * Builds a query for the entries that match a text: by the beginning of the label, any of its words, or a key
 * or address. An empty text matches all entries.
 */
export const bySearch = (db: Executor<WalletTables>, text: string) => {
	const folded = foldName(text);
	let query = db.selectFrom('labels as e');
	if (folded === '') return query;
	query = query.where((where) =>
		where.or([
			where.and([where('e.label_key', '>=', folded), where('e.label_key', '<', folded + LAST)]),
			where(
				'e.id',
				'in',
				db.selectFrom('label_words').select('entry').where('key', 'in', deletionsOf(folded))
			),
			where(
				'e.id',
				'in',
				db
					.selectFrom('label_keys')
					.select('entry')
					.where('key', 'in', [bareText(text), bareText(text).toLowerCase()])
			)
		])
	);
	return query;
};

/** Finds entries by key, address or label, the closest matches first. `errors` counts misspelt letters. */
export async function findEntries(
	db: Executor<WalletTables>,
	text: string,
	limit: number
): Promise<{ entry: Entry; errors: number }[]> {
	const folded = foldName(text);
	if (folded === '') return [];
	const typed = wordsOf(text);
	const begun = typed.at(-1) ?? folded;
	/**
	 * Entries whose labels contain all the words. The query below keeps the shortest labels, the closest
	 * matches.
	 */
	let having = db.selectFrom('labels as e').select('e.id as entry');
	for (const word of new Set([...typed, begun])) {
		const near = db
			.selectFrom('label_words')
			.select('entry')
			.where((where) => {
				const known = where('key', 'in', [...deletionsOf(word), word]);
				if (word !== begun) return known;
				return where.or([
					known,
					where.and([where('key', '>=', begun), where('key', '<', begun + LAST)])
				]);
			});
		having = having.where('e.id', 'in', near);
	}
	const [exact, near] = await Promise.all([
		db
			.selectFrom('label_keys')
			.select('entry')
			.where('key', 'in', [bareText(text), bareText(text).toLowerCase()])
			.execute(),
		having
			.orderBy(sql`length(e.label)`)
			.orderBy('e.id')
			.limit(20 * limit)
			.execute()
	]);
	const named = new Set(exact.map(({ entry }) => entry));
	const ids = [...named, ...near.map(({ entry }) => entry)];
	if (ids.length === 0) return [];
	const rows = await db.selectFrom('labels').selectAll().where('id', 'in', ids).execute();
	const judged = rows.flatMap((row) => {
		if (named.has(row.id)) return [{ row, errors: 0 }];
		const errors = errorsIn(row.label, typed);
		return errors === null ? [] : [{ row, errors }];
	});
	judged.sort((a, b) => a.errors - b.errors || a.row.label.length - b.row.label.length);
	return judged.slice(0, limit).map(({ row, errors }) => ({ entry: toEntry(row), errors }));
}

/**
 * Returns how many letters of these words are misspelt compared with the label; null when it lacks one of the
 * words.
 */
function errorsIn(label: string, typed: readonly string[]): number | null {
	const own = wordsOf(label);
	const typing = typed.at(-1);
	let sum = 0;
	for (const word of typed) {
		if (own.includes(word) || (word === typing && own.some((one) => one.startsWith(word)))) {
			continue;
		}
		const errors = Math.min(...own.map((one) => distance(one, word)));
		if (errors > 1 || !mayBeMisspelt(word)) return null;
		sum += errors;
	}
	return sum;
}
