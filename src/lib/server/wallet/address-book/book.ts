/**
 * The team's address book: what keys, addresses, tokens and chains are called here. A label is the team's
 * word for a thing, never a fact of the chain, and no two labels may look alike.
 */
import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import { skeleton, markedText } from '#lib/text/confusables.ts';
import type { Labels } from '#lib/text/labels.ts';
import type { Audit } from '../../access/audit/audit.ts';
import { chunks } from '../../chains/indexer/bulk.ts';
import { deletionsOf, mayBeMisspelt, wordsOf } from '../../chains/indexer/names.ts';
import { foldName } from '../../chains/lists/fold.ts';
import { distance } from '../../chains/lists/searchNames.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import type { WalletTables } from '../tables.ts';
import { formWords, keysOf, type EntryKey } from './keys.ts';
import { readEntry, type EntryErrors, type EntryWords, type TypedEntry } from './read.ts';
import type { LabelsTable, EntryKind } from './tables.ts';

/** An entry as pages show it. */
export interface Entry extends EntryWords {
	id: string;
	/** The label with what it hides made visible. */
	shown: string;
	createdBy: string;
	writtenBy: string;
	/** Unix milliseconds. */
	createdAt: number;
	writtenAt: number;
	/** Further texts under which it is met: the addresses of a key. */
	keys: EntryKey[];
}

export type Written = { ok: true; id: string } | { ok: false; errors: EntryErrors };

/** What an import of many entries did. */
export interface Imported {
	added: number;
	changed: number;
	same: number;
	/** Lines that were left out, by their number in the file, counted from 1. */
	faults: { line: number; sentence: string }[];
}

/** A place in the list of entries. */
interface BookPage {
	entries: Entry[];
	total: number;
	/** The page's number, counted from 1, and how many there are. */
	page: number;
	pages: number;
}

const PAGE_ENTRIES = 50;
/** Keys that one question to the database names. */
const KEYS_AT_ONCE = 800;
/** Lines of an import that are written together. */
const LINES_AT_ONCE = 50;
/** Sorts behind every text that begins with what stands before it. */
const LAST = '\u{10ffff}';

type Trx = Executor<WalletTables>;

const words = ({ kind, value, chain, label, note }: EntryWords) => ({
	kind,
	value,
	chain,
	label,
	note,
	skeleton: skeleton(label),
	label_key: foldName(label)
});

const toEntry = (row: Selectable<LabelsTable>, keys: EntryKey[] = []): Entry => ({
	id: row.id,
	kind: row.kind,
	value: row.value,
	chain: row.chain,
	label: row.label,
	shown: markedText(row.label),
	note: row.note,
	createdBy: row.created_by,
	writtenBy: row.written_by,
	createdAt: Number(row.created_at),
	writtenAt: Number(row.written_at),
	keys
});

/** The keys by which words of a label are found: whole, and with a letter left out. */
function wordKeys(label: string): { key: string; word: string }[] {
	return wordsOf(label).flatMap((word) =>
		(mayBeMisspelt(word) ? deletionsOf(word) : [word]).map((key) => ({ key, word }))
	);
}

export function createBook(db: Database<WalletTables>, audit: Audit) {
	async function writeKeys(trx: Trx, id: string, entry: EntryWords): Promise<void> {
		await trx
			.insertInto('label_keys')
			.values(keysOf(entry.kind, entry.value).map((key) => ({ ...key, entry: id })))
			.execute();
		const found = wordKeys(entry.label);
		if (found.length === 0) return;
		await trx
			.insertInto('label_words')
			.values(found.map((word) => ({ ...word, entry: id })))
			.onConflict((conflict) => conflict.doNothing())
			.execute();
	}

	async function removeKeys(trx: Trx, id: string): Promise<void> {
		await trx.deleteFrom('label_keys').where('entry', '=', id).execute();
		await trx.deleteFrom('label_words').where('entry', '=', id).execute();
	}

	/** What another entry has already; empty when nothing stands in the way. */
	async function taken(trx: Trx, entry: EntryWords, own: string | null): Promise<EntryErrors> {
		const errors: EntryErrors = {};
		const alike = await trx
			.selectFrom('labels')
			.select(['id', 'label'])
			.where('skeleton', '=', skeleton(entry.label))
			.executeTakeFirst();
		if (alike && alike.id !== own) {
			errors.label =
				alike.label === entry.label
					? 'Another entry has this label.'
					: `Another entry is called “${markedText(alike.label)}”, and the two look alike. Choose a label that differs.`;
		}
		const clash = await trx
			.selectFrom('label_keys as k')
			.innerJoin('labels as e', 'e.id', 'k.entry')
			.select(['e.id', 'e.label', 'e.kind', 'k.form', 'k.key'])
			.where(
				'k.key',
				'in',
				keysOf(entry.kind, entry.value).map(({ key }) => key)
			)
			.where('e.id', '!=', own ?? '')
			.executeTakeFirst();
		if (clash) {
			const label = `“${markedText(clash.label)}”`;
			errors.value =
				clash.key === entry.value
					? clash.form === 'value'
						? `This stands in the book already, as ${label}.`
						: `This is the ${formWords(clash.form)} of the key ${label}, which stands in the book already.`
					: `An address of this key, ${clash.key}, stands in the book already, as ${label}. Change that entry into this key.`;
		}
		return errors;
	}

	const bySearch = (text: string) => {
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

	async function withKeys(rows: readonly Selectable<LabelsTable>[]): Promise<Entry[]> {
		if (rows.length === 0) return [];
		const keys = await db
			.selectFrom('label_keys')
			.select(['key', 'entry', 'form'])
			.where(
				'entry',
				'in',
				rows.map(({ id }) => id)
			)
			.where('form', '!=', 'value')
			.orderBy('form')
			.execute();
		return rows.map((row) =>
			toEntry(
				row,
				keys.filter(({ entry }) => entry === row.id).map(({ key, form }) => ({ key, form }))
			)
		);
	}

	/** Writes a new entry, or one in the place of another. */
	async function write(
		trx: Trx,
		entry: EntryWords,
		actor: string,
		before: Selectable<LabelsTable> | null
	): Promise<string> {
		const now = Date.now();
		const id = before?.id ?? randomUUID();
		if (before === null) {
			await trx
				.insertInto('labels')
				.values({
					id,
					...words(entry),
					created_by: actor,
					written_by: actor,
					created_at: now,
					written_at: now
				})
				.execute();
		} else {
			await removeKeys(trx, id);
			await trx
				.updateTable('labels')
				.set({ ...words(entry), written_by: actor, written_at: now })
				.where('id', '=', id)
				.execute();
		}
		await writeKeys(trx, id, entry);
		await audit.append(
			{
				actor,
				action: before === null ? 'book.added' : 'book.changed',
				target: entry.value,
				detail: {
					kind: entry.kind,
					label: entry.label,
					note: entry.note,
					...(before === null ? {} : { before: { value: before.value, label: before.label } })
				}
			},
			trx
		);
		return id;
	}

	/** Adds an entry (`id` null) or changes one. */
	async function put(
		typed: TypedEntry,
		chains: readonly string[],
		actor: string,
		id: string | null
	): Promise<Written> {
		const read = readEntry(typed, chains);
		if (!read.ok) return read;
		return db.transaction().execute(async (trx): Promise<Written> => {
			// Writers of the book pass one after the other: what is free stays free until it is taken.
			await audit.lock(trx);
			const before =
				id === null
					? null
					: ((await trx.selectFrom('labels').selectAll().where('id', '=', id).executeTakeFirst()) ??
						null);
			if (id !== null && before === null) {
				return { ok: false, errors: { label: 'Somebody has removed this entry meanwhile.' } };
			}
			const errors = await taken(trx, read.entry, id);
			if (Object.keys(errors).length > 0) return { ok: false, errors };
			return { ok: true, id: await write(trx, read.entry, actor, before) };
		});
	}

	/** Takes one line of an import; says what it did, or what is wrong. */
	async function takeLine(
		trx: Trx,
		entry: EntryWords,
		actor: string
	): Promise<'added' | 'changed' | 'same' | string[]> {
		const before =
			(await trx
				.selectFrom('labels')
				.selectAll()
				.where('kind', '=', entry.kind)
				.where('value', '=', entry.value)
				.executeTakeFirst()) ?? null;
		if (
			before?.label === entry.label &&
			before.note === entry.note &&
			before.chain === entry.chain
		) {
			return 'same';
		}
		const errors = await taken(trx, entry, before?.id ?? null);
		if (Object.keys(errors).length > 0) return Object.values(errors);
		await write(trx, entry, actor, before);
		return before === null ? 'added' : 'changed';
	}

	/** Entries that a text names: by a key or address of theirs, or by their label; the closest first. */
	async function find(text: string, limit: number): Promise<{ entry: Entry; errors: number }[]> {
		const folded = foldName(text);
		if (folded === '') return [];
		const typed = wordsOf(text);
		const keys = [...new Set(typed.flatMap((word) => deletionsOf(word)))];
		const begun = typed.at(-1) ?? folded;
		const [exact, near] = await Promise.all([
			db
				.selectFrom('label_keys')
				.select('entry')
				.where('key', 'in', [text.trim(), text.trim().toLowerCase()])
				.execute(),
			db
				.selectFrom('label_words')
				.select('entry')
				.distinct()
				.where((where) =>
					where.or([
						where('key', 'in', keys),
						where.and([where('key', '>=', begun), where('key', '<', begun + LAST)])
					])
				)
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

	return {
		/** Adds an entry. Mistakes come back by field. */
		add: (typed: TypedEntry, chains: readonly string[], actor: string): Promise<Written> =>
			put(typed, chains, actor, null),
		/** Changes an entry. Mistakes come back by field. */
		change: (
			id: string,
			typed: TypedEntry,
			chains: readonly string[],
			actor: string
		): Promise<Written> => put(typed, chains, actor, id),

		/** Removes an entry; false when it was gone already. */
		async remove(id: string, actor: string): Promise<boolean> {
			return db.transaction().execute(async (trx) => {
				const gone = await trx
					.deleteFrom('labels')
					.where('id', '=', id)
					.returning(['kind', 'value', 'label'])
					.executeTakeFirst();
				if (!gone) return false;
				await removeKeys(trx, id);
				await audit.append(
					{
						actor,
						action: 'book.removed',
						target: gone.value,
						detail: { kind: gone.kind, label: gone.label }
					},
					trx
				);
				return true;
			});
		},

		async get(id: string): Promise<Entry | null> {
			const row = await db.selectFrom('labels').selectAll().where('id', '=', id).executeTakeFirst();
			return row ? ((await withKeys([row]))[0] ?? null) : null;
		},

		/** One page of the entries by label, or of those that a text names. */
		async list({
			q = '',
			kind = null,
			page = 1
		}: { q?: string; kind?: EntryKind | null; page?: number } = {}): Promise<BookPage> {
			let query = bySearch(q);
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
			return { entries: await withKeys(rows), total, page: shown, pages };
		},

		/** All entries by label: for the file, and for forms that offer them. */
		async all(kinds?: readonly EntryKind[], limit = 100_000): Promise<Entry[]> {
			let query = db.selectFrom('labels').selectAll();
			if (kinds !== undefined) query = query.where('kind', 'in', [...kinds]);
			const rows = await query.orderBy('label_key').orderBy('id').limit(limit).execute();
			return rows.map((row) => toEntry(row));
		},

		/** The entry that a text names exactly: its label, or what looks the same. */
		async byLabel(label: string): Promise<Entry | null> {
			const row = await db
				.selectFrom('labels')
				.selectAll()
				.where('skeleton', '=', skeleton(label))
				.executeTakeFirst();
			// What only looks like the label is not the label: money may depend on it.
			return row && foldName(row.label) === foldName(label) ? toEntry(row) : null;
		},

		find,

		/**
		 * The labels of these keys, addresses, ids and chains, in one question to the database for a page of any
		 * usual size. Each key is one look into an index, however large the book is.
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

		/** Takes many entries over; what is wrong with a line is told, and the others are taken. */
		async importAll(
			lines: readonly { line: number; typed: TypedEntry }[],
			chains: readonly string[],
			actor: string
		): Promise<Imported> {
			const done: Imported = { added: 0, changed: 0, same: 0, faults: [] };
			// In parts, so that what others write does not wait for the whole of it.
			for (const part of chunks(lines, LINES_AT_ONCE)) {
				const read = part.map(({ line, typed }) => ({ line, entry: readEntry(typed, chains) }));
				await db.transaction().execute(async (trx) => {
					await audit.lock(trx);
					for (const { line, entry } of read) {
						const outcome = entry.ok
							? await takeLine(trx, entry.entry, actor)
							: Object.values(entry.errors);
						if (typeof outcome === 'string') done[outcome] += 1;
						else done.faults.push({ line, sentence: outcome.join(' ') });
					}
				});
			}
			return done;
		}
	};
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

export type Book = ReturnType<typeof createBook>;
