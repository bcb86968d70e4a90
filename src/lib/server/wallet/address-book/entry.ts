/** Entries of the address book as pages show them. */
import type { Selectable } from 'kysely';
import { markedText } from '#lib/text/confusables.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { WalletTables } from '../tables.ts';
import type { EntryKey } from './keys.ts';
import type { EntryWords } from './read.ts';
import type { LabelsTable } from './tables.ts';

/** An entry as pages show it. */
export interface Entry extends EntryWords {
	id: string;
	/** The label with invisible characters and confusable letters marked. */
	shown: string;
	createdBy: string;
	writtenBy: string;
	/** Unix milliseconds. */
	createdAt: number;
	writtenAt: number;
	/** Other identifiers of the entry: for a public key, its addresses. */
	keys: EntryKey[];
}

/** Returns an entry as pages show it. `keys`: other identifiers of the entry. */
export const toEntry = (row: Selectable<LabelsTable>, keys: EntryKey[] = []): Entry => ({
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

/** Returns the rows as entries, each with its other identifiers. */
export async function withKeys(
	db: Executor<WalletTables>,
	rows: readonly Selectable<LabelsTable>[]
): Promise<Entry[]> {
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
