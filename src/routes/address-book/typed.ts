import { errorMessage } from '#lib/messages/errors/index.ts';
import { lines, readForm, text } from '#lib/server/platform/http/readForm.ts';
import type { EntryErrors, TypedEntry } from '#lib/server/wallet/address-book/read.ts';

/** The form of an entry as text. */
export const typedEntry = (request: Request): Promise<TypedEntry> =>
	readForm(request, { kind: text, value: text, chain: text, label: text, note: lines });

/** What is wrong with an entry, by field, as people read it. */
export type EntryFaults = { [Field in keyof TypedEntry]?: string };

export const entryFaults = (errors: EntryErrors): EntryFaults =>
	Object.fromEntries(
		Object.entries(errors).map(([field, { code, params }]) => [field, errorMessage(code, params)])
	);
