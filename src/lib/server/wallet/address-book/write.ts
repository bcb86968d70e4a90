/**
 * Writes entries of the address book. No two labels may look alike, and no two entries may share an
 * identifier.
 */
import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import { markedText, skeleton } from '#lib/text/confusables.ts';
import { foldName } from '../../chains/indexer/fold.ts';
import type { AuditTrail } from '../../platform/audit-trail/trail.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { WalletTables } from '../tables.ts';
import { wordKeys } from './find.ts';
import { formWords, keysOf } from './keys.ts';
import type { EntryErrors, EntryWords } from './read.ts';
import type { LabelsTable } from './tables.ts';

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

/**
 * Returns the conflicts with other entries by field: a label that looks the same, or a shared identifier.
 * @param own id of the entry that is changed; null for a new one
 */
export async function taken(trx: Trx, entry: EntryWords, own: string | null): Promise<EntryErrors> {
	const errors: EntryErrors = {};
	const alike = await trx
		.selectFrom('labels')
		.select(['id', 'label'])
		.where('skeleton', '=', skeleton(entry.label))
		.executeTakeFirst();
	if (alike && alike.id !== own) {
		errors.label =
			alike.label === entry.label
				? { code: 'address-book.label-taken', params: {} }
				: { code: 'address-book.label-confusable', params: { label: markedText(alike.label) } };
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
		const label = markedText(clash.label);
		errors.value =
			clash.key === entry.value
				? clash.form === 'value'
					? { code: 'address-book.value-taken', params: { label } }
					: { code: 'address-book.value-of-key', params: { form: formWords(clash.form), label } }
				: { code: 'address-book.key-of-value', params: { address: clash.key, label } };
	}
	return errors;
}

/** Returns the number of entries. The caller holds the audit log's lock, under which entries are written. */
export async function entryCount(trx: Trx): Promise<number> {
	const { n } = await trx
		.selectFrom('labels')
		.select((select) => select.fn.countAll<bigint>().as('n'))
		.executeTakeFirstOrThrow();
	return Number(n);
}

/**
 * Inserts an entry, or overwrites the row `before`, and appends the event to the audit log. Returns the id.
 */
export async function writeEntry(
	trx: Trx,
	audit: AuditTrail,
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

/** Removes an entry. Returns false when it does not exist any more. */
export async function removeEntry(
	trx: Trx,
	audit: AuditTrail,
	id: string,
	actor: string
): Promise<boolean> {
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
}
