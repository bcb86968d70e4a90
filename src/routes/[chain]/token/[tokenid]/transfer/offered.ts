import type { Book } from '#lib/server/book/book.ts';

/** More would make a page heavy; the address book itself finds the others. */
const MOST_OFFERED = 300;

/** A key of the address book as a form offers it. */
export interface OfferedKey {
	pubkey: string;
	label: string;
}

/** Keys that a form which takes one offers, by label. */
export async function offeredKeys(book: Book): Promise<OfferedKey[]> {
	const entries = await book.all(['pubkey'], MOST_OFFERED);
	return entries.map(({ value, label }) => ({ pubkey: value, label }));
}
