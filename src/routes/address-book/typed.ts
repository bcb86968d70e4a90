import { lines, readForm, text } from '#lib/server/platform/http/readForm.ts';
import type { TypedEntry } from '#lib/server/wallet/address-book/read.ts';

/** The form of an entry as text. */
export const typedEntry = (request: Request): Promise<TypedEntry> =>
	readForm(request, { kind: text, value: text, chain: text, label: text, note: lines });
