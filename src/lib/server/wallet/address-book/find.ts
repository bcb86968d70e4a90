/** Finds entries of the address book by what somebody types. */
import { sql } from 'kysely';
import { foldName } from '../../chains/lists/fold.ts';
import { deletionsOf, mayBeMisspelt, wordsOf } from '../../chains/indexer/names.ts';
import { distance } from '../../chains/lists/searchNames.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { WalletTables } from '../tables.ts';
import { toEntry, type Entry } from './entry.ts';

/** Sorts behind every text that begins with what stands before it. */
const LAST = '\u{10ffff}';

/** The keys by which words of a label are found: whole, and with a letter left out. */
export function wordKeys(label: string): { key: string; word: string }[] {
	return wordsOf(label).flatMap((word) =>
		(mayBeMisspelt(word) ? deletionsOf(word) : [word]).map((key) => ({ key, word }))
	);
}

/** The entries that a text names, to be read on: by its beginning, any of its words, or a key or address. */
export const bySearch = (db: Executor<WalletTables>, text: string) => {
	const folded = foldName(text);
	let query = db.selectFrom('labels as e');
	if (folded === '') return query;
	// A label by its beginning, any of its words, or any text under which the entry is met.
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
					.where('key', 'in', [text.trim(), text.trim().toLowerCase()])
			)
		])
	);
	return query;
};

/** Entries that a text names: by a key or address of theirs, or by their label; the closest first. */
export async function findEntries(
	db: Executor<WalletTables>,
	text: string,
	limit: number
): Promise<{ entry: Entry; errors: number }[]> {
	const folded = foldName(text);
	if (folded === '') return [];
	const typed = wordsOf(text);
	const begun = typed.at(-1) ?? folded;
	/** Of many that have them all, the shortest are the closest. */
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
			.where('key', 'in', [text.trim(), text.trim().toLowerCase()])
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

/** How many letters of these words a label has otherwise; null when it lacks one of them. */
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
