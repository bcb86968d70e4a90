/** Imports entries of the address book from a file. */
import type { Audit } from '../../access/audit/audit.ts';
import { chunks } from '../../platform/database/chunks.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import type { WalletTables } from '../tables.ts';
import { readEntry, type AddressBookFault, type EntryWords, type TypedEntry } from './read.ts';
import { entryCount, taken, writeEntry } from './write.ts';

/** Result of an import. */
export interface Imported {
	added: number;
	changed: number;
	same: number;
	/** Skipped lines with their errors, by line number in the file, counted from 1. */
	faults: { line: number; problems: AddressBookFault[] }[];
}

/** A line of a file: its number, counted from 1, and its entry. */
export interface TypedLine {
	line: number;
	/** `note`: null in a file without that column, whose import leaves the notes of existing entries as they are. */
	typed: Omit<TypedEntry, 'note'> & { note: string | null };
}

/** Lines that are written in one database transaction. */
const LINES_AT_ONCE = 50;

/**
 * Imports the lines. Lines with errors are reported and skipped, all others are imported.
 * @param most maximum number of entries in the address book
 */
export async function importEntries(
	db: Database<WalletTables>,
	audit: Audit,
	lines: readonly TypedLine[],
	chains: readonly string[],
	actor: string,
	most: number
): Promise<Imported> {
	const done: Imported = { added: 0, changed: 0, same: 0, faults: [] };
	// In parts, so that other writers do not wait for the whole import.
	for (const part of chunks(lines, LINES_AT_ONCE)) {
		const read = part.map(({ line, typed }) => ({
			line,
			hasNote: typed.note !== null,
			entry: readEntry({ ...typed, note: typed.note ?? '' }, chains)
		}));
		await db.transaction().execute(async (trx) => {
			await audit.lock(trx);
			let count = await entryCount(trx);
			for (const { line, hasNote, entry } of read) {
				const full = count < most ? null : most;
				const outcome = entry.ok
					? await takeLine(
							trx,
							audit,
							hasNote ? entry.entry : { ...entry.entry, note: null },
							actor,
							full
						)
					: Object.values(entry.errors);
				if (outcome === 'added') count += 1;
				if (typeof outcome === 'string') done[outcome] += 1;
				else done.faults.push({ line, problems: outcome });
			}
		});
	}
	return done;
}

/**
 * Imports one line. Returns the outcome, or the errors of the line.
 * @param words with the note, or null to leave that of an existing entry as it is
 * @param full the maximum number of entries when the address book has reached it, else null
 */
async function takeLine(
	trx: Executor<WalletTables>,
	audit: Audit,
	words: Omit<EntryWords, 'note'> & { note: string | null },
	actor: string,
	full: number | null
): Promise<'added' | 'changed' | 'same' | AddressBookFault[]> {
	const before =
		(await trx
			.selectFrom('labels')
			.selectAll()
			.where('kind', '=', words.kind)
			.where('value', '=', words.value)
			.executeTakeFirst()) ?? null;
	const entry: EntryWords = { ...words, note: words.note ?? before?.note ?? '' };
	if (before?.label === entry.label && before.note === entry.note && before.chain === entry.chain) {
		return 'same';
	}
	if (before === null && full !== null) {
		return [{ code: 'address-book.full', params: { most: full } }];
	}
	const errors = await taken(trx, entry, before?.id ?? null);
	if (Object.keys(errors).length > 0) return Object.values(errors);
	await writeEntry(trx, audit, entry, actor, before);
	return before === null ? 'added' : 'changed';
}
