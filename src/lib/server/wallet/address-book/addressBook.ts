/**
 * The team's address book: labels for public keys, addresses, tokens and chains. A label is the team's own
 * name for something, never data of the chain, and no two labels may look alike.
 */
import type { Selectable } from 'kysely';
import { markedText, skeleton } from '#lib/text/confusables.ts';
import type { Labels } from '#lib/text/labels.ts';
import type { Audit } from '../../access/audit/audit.ts';
import { chunks } from '../../platform/database/chunks.ts';
import { foldName } from '../../chains/indexer/fold.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import type { WalletTables } from '../tables.ts';
import { toEntry, withKeys, type Entry } from './entry.ts';
import { bySearch, findEntries } from './find.ts';
import { importEntries, type TypedLine } from './importEntries.ts';
import { formWords } from './keys.ts';
import { readEntry, withChanges, type EntryErrors, type TypedEntry } from './read.ts';
import type { EntryKind, LabelsTable } from './tables.ts';
import { entryCount, removeEntry, taken, writeEntry } from './write.ts';

export type Written = { ok: true; id: string } | { ok: false; errors: EntryErrors };

/** One page of the list of entries. */
interface BookPage {
	entries: Entry[];
	total: number;
	/** Number of this page, counted from 1, and the number of pages. */
	page: number;
	pages: number;
}

const PAGE_ENTRIES = 50;
/** Maximum number of keys in one query. */
const KEYS_AT_ONCE = 800;

/** Maximum number of entries. An export holds all of them. */
const MOST_ENTRIES = 50_000;

export function createAddressBook(db: Database<WalletTables>, audit: Audit, most = MOST_ENTRIES) {
	/** Validates a typed entry and writes it: as a new entry, or over the row `before`. */
	async function put(
		trx: Executor<WalletTables>,
		typed: TypedEntry,
		chains: readonly string[],
		actor: string,
		before: Selectable<LabelsTable> | null
	): Promise<Written> {
		const read = readEntry(typed, chains);
		if (!read.ok) return read;
		if (before === null && (await entryCount(trx)) >= most) {
			return { ok: false, errors: { label: { code: 'address-book.full', params: { most } } } };
		}
		const errors = await taken(trx, read.entry, before?.id ?? null);
		if (Object.keys(errors).length > 0) return { ok: false, errors };
		return { ok: true, id: await writeEntry(trx, audit, read.entry, actor, before) };
	}

	/**
	 * Serializes writers under the audit log's lock, so that a label that was found to be free still is when
	 * the entry is written.
	 */
	const inTurn = <T>(write: (trx: Executor<WalletTables>) => Promise<T>): Promise<T> =>
		db.transaction().execute(async (trx) => {
			await audit.lock(trx);
			return write(trx);
		});

	return {
		/** Adds an entry. Errors are returned by field. */
		add: (typed: TypedEntry, chains: readonly string[], actor: string): Promise<Written> =>
			inTurn((trx) => put(trx, typed, chains, actor, null)),
		/**
		 * Changes an entry. Errors are returned by field.
		 * @param shown the values that the form showed; a field that was not edited keeps its current value,
		 * even if another member has changed it since
		 */
		change: (
			id: string,
			typed: TypedEntry,
			chains: readonly string[],
			actor: string,
			shown: Partial<TypedEntry> = {}
		): Promise<Written> =>
			inTurn(async (trx) => {
				const before = await trx
					.selectFrom('labels')
					.selectAll()
					.where('id', '=', id)
					.executeTakeFirst();
				if (before === undefined) {
					return {
						ok: false,
						errors: { label: { code: 'address-book.entry-removed', params: {} } }
					};
				}
				return put(trx, withChanges(before, shown, typed), chains, actor, before);
			}),
		/** Removes an entry. Returns false when it does not exist any more. */
		remove: (id: string, actor: string): Promise<boolean> =>
			inTurn((trx) => removeEntry(trx, audit, id, actor)),

		async get(id: string): Promise<Entry | null> {
			const row = await db.selectFrom('labels').selectAll().where('id', '=', id).executeTakeFirst();
			return row ? ((await withKeys(db, [row]))[0] ?? null) : null;
		},

		/** Returns one page of the entries, sorted by label; with `q`, only of those that match it. */
		async list({
			q = '',
			kind = null,
			page = 1
		}: { q?: string; kind?: EntryKind | null; page?: number } = {}): Promise<BookPage> {
			let query = bySearch(db, q);
			if (kind !== null) query = query.where('e.kind', '=', kind);
			const { n } = await query
				.select((select) => select.fn.countAll<bigint>().as('n'))
				.executeTakeFirstOrThrow();
			const total = Number(n);
			const pages = Math.max(1, Math.ceil(total / PAGE_ENTRIES));
			const shown = Math.min(Math.max(1, page), pages);
			const rows = await query
				.selectAll('e')
				.orderBy('e.label_key')
				.orderBy('e.id')
				.limit(PAGE_ENTRIES)
				.offset((shown - 1) * PAGE_ENTRIES)
				.execute();
			return { entries: await withKeys(db, rows), total, page: shown, pages };
		},

		/** Returns all entries, sorted by label, for exports and for the suggestions of forms. */
		async all(kinds?: readonly EntryKind[], limit = 100_000): Promise<Entry[]> {
			let query = db.selectFrom('labels').selectAll();
			if (kinds !== undefined) query = query.where('kind', 'in', [...kinds]);
			const rows = await query.orderBy('label_key').orderBy('id').limit(limit).execute();
			return rows.map((row) => toEntry(row));
		},

		/**
		 * Returns the entry with this label, compared by skeleton and in folded form; null when there is
		 * none.
		 */
		async byLabel(label: string): Promise<Entry | null> {
			const row = await db
				.selectFrom('labels')
				.selectAll()
				.where('skeleton', '=', skeleton(label))
				.executeTakeFirst();
			// A label that merely looks the same does not match: payments are resolved by it.
			return row && foldName(row.label) === foldName(label) ? toEntry(row) : null;
		},

		/** Finds entries by key, address or label, the closest matches first. */
		find: (text: string, limit: number) => findEntries(db, text, limit),

		/**
		 * Returns the labels of these keys, addresses, ids and chains. One query serves a page of usual size,
		 * and each key is one index lookup, however large the address book is.
		 */
		async labels(keys: ReadonlySet<string>): Promise<Labels> {
			const labels: Record<string, Labels[string]> = {};
			for (const part of chunks([...keys], KEYS_AT_ONCE)) {
				const rows = await db
					.selectFrom('label_keys as k')
					.innerJoin('labels as e', 'e.id', 'k.entry')
					.select(['k.key', 'k.form', 'e.id', 'e.label', 'e.written_by'])
					.where('k.key', 'in', part)
					.execute();
				for (const row of rows) {
					labels[row.key] = {
						label: markedText(row.label),
						entry: row.id,
						by: row.written_by,
						form: formWords(row.form)
					};
				}
			}
			return labels;
		},

		/** Imports many entries. Lines with errors are reported and skipped, all others are imported. */
		importAll: (lines: readonly TypedLine[], chains: readonly string[], actor: string) =>
			importEntries(db, audit, lines, chains, actor, most)
	};
}

export type AddressBook = ReturnType<typeof createAddressBook>;
