import { errorMessage } from '#lib/messages/errors/index.ts';
import { lines, readFields, text } from '#lib/server/platform/http/readForm.ts';
import type { EntryErrors, TypedEntry } from '#lib/server/wallet/address-book/read.ts';

const FIELDS = { kind: text, value: text, chain: text, label: text, note: lines };

/** Returns the fields of an entry as text. */
export const typedEntry = (form: FormData): TypedEntry => readFields(form, FIELDS);

/** Returns the values that the form of an entry displayed; empty for a new entry. */
export function shownEntry(form: FormData): Partial<TypedEntry> {
	const shown = new FormData();
	for (const name of Object.keys(FIELDS)) {
		const value = form.get(`shown.${name}`);
		if (value !== null) shown.append(name, value);
	}
	return [...shown].length === 0 ? {} : readFields(shown, FIELDS);
}

/** Errors of an entry, by field, as sentences. */
export type EntryFaults = { [Field in keyof TypedEntry]?: string };

export const entryFaults = (errors: EntryErrors): EntryFaults =>
	Object.fromEntries(
		Object.entries(errors).map(([field, { code, params }]) => [field, errorMessage(code, params)])
	);
